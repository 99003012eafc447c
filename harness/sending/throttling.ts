import { fieldOf, type ReceivedResponse } from "../../model/exchange.ts";

/** Longest single wait and longest sum of waits in a row that a target may demand, in milliseconds (INT-13). */
export const longestWait = 30_000;
export const longestWaits = 60_000;

/** The shortest wait, in milliseconds, so that waits of 0 s do not go on for ever. */
const shortestWait = 200;

/** Whether a response may throttle: 429, 503 with Retry-After, or 403 with it, which may be a refusal (INT-13). */
export const isThrottling = ({ status, headers }: ReceivedResponse): boolean =>
  status === 429 || ((status === 503 || status === 403) && fieldOf(headers, "retry-after") !== undefined);

/** The milliseconds that a response asks to wait; 0 if it does not throttle. */
export const throttlingWait = (response: ReceivedResponse, now: number): number =>
  isThrottling(response) ? Math.max(shortestWait, waitOf(response, now)) : 0;

/** The milliseconds of Retry-After, given in seconds or as a date (RFC 9110, 10.2.3); one second without it. */
export const waitOf = ({ headers }: ReceivedResponse, now: number): number => {
  const value = fieldOf(headers, "retry-after")?.trim();
  if (value === undefined) return 1000;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // A date begins with the name of its day; JavaScript would read other numbers as years.
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return 1000;
  // Use the server's Date header if there is one, because our clock may differ by hours.
  const server = Date.parse(fieldOf(headers, "date") ?? "");
  return Math.max(0, date - (Number.isNaN(server) ? now : server));
};

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });

export const throttlingText = ({ status, headers }: ReceivedResponse): string =>
  `${status} ${fieldOf(headers, "retry-after") === undefined ? "without" : "with"} Retry-After`;
