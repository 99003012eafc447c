import type { Certificate } from "../../model/run.ts";
import { jsonOf, memberOf, type ReceivedResponse } from "../../model/exchange.ts";

export interface PreflightStep {
  readonly step: "name" | "connection" | "tls" | "key" | "token" | "list" | "operation";
  readonly ok: boolean;
  /** The run ends here, because nothing can be tested. */
  readonly stops?: true;
  readonly found: string;
  readonly certificate?: Certificate;
  readonly advice?: string;
}

export const passed = (step: PreflightStep["step"], found: string): PreflightStep => ({ step, ok: true, found });

export const failed = (step: PreflightStep["step"], found: string, advice: string): PreflightStep => ({
  step,
  ok: false,
  found,
  advice,
});

export const stopped = (...[step, found, advice]: Parameters<typeof failed>): PreflightStep => ({
  ...failed(step, found, advice),
  stops: true,
});

/** What to do if a gateway before the server responded, and not the server. */
export const gateway =
  'If a gateway before the server sent this and wants a key of its own, add --header "Name: value".';

/** Status and message. Redacted first and then cut, because redaction does not find the beginning of a secret. */
export const responseText = (response: ReceivedResponse, redact: (text: string) => string): string => {
  const words = redact(wordsOf(response));
  return `status ${response.status}${words === "" ? "" : ` "${cutTo(words, 160)}"`}`;
};

/** Whether a refusal has the shape of the API's errors: otherwise something before the server most likely sent it. */
export const isOfApi = (response: ReceivedResponse): boolean =>
  typeof memberOf(jsonOf(response), "message") === "string";

/** The `message` of an error of the API; otherwise the text of the body without markup. */
const wordsOf = (response: ReceivedResponse): string => {
  const message = memberOf(jsonOf(response), "message");
  if (typeof message === "string") return message;
  return new TextDecoder()
    .decode(response.body.subarray(0, longestPage))
    .replaceAll(/<(style|script|head)\b.*?<\/\1>|<[^>]*>/gis, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
};

const longestPage = 16_384;

export const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Text of a server without control characters. */
export const plainText = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "·").slice(0, 400);
