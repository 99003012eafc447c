import { operationTitle } from "../../spec/operations.ts";
import { fieldOf, type ReceivedResponse, type RequestSpec } from "../../model/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import { Inconclusive } from "../scenario-errors.ts";
import { createLockOut } from "./lock-out.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Delivered, Send } from "./send.ts";
import { isThrottling, longestWait, longestWaits, pause, shortestWait, waitOf } from "./throttling.ts";
import { presentsItsOwn } from "./http-request.ts";

interface ThrottledParts {
  readonly rateLimiter: RateLimiter;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** Whether the requests run alone: then the rate limiter does not hold them back. @defaultValue false */
  readonly isAlone?: boolean;
}

/** Waits and slows down when the target throttles. Throws Inconclusive if it demands too long a wait (INT-13). */
export const createThrottled = ({ rateLimiter, recorder, signal, isAlone = false }: ThrottledParts) => {
  const lockOut = createLockOut(recorder, signal);

  /** All requests wait. */
  const slowDown = (spec: RequestSpec, status: number, wait: number, waited: number): void => {
    const isOverdue = rateLimiter.throttledFor() > longestWaits;
    if (isOverdue) rateLimiter.throttled(wait);
    if (isOverdue || wait > longestWait || waited + wait > longestWaits) {
      throw new Inconclusive(tooLong(spec, status, wait));
    }
    recorder.emit({ type: "waiting", text: `${status} from the target, waiting ${Math.ceil(wait / 1000)} s` });
    rateLimiter.throttled(wait);
  };

  return (next: Send<Delivered>): Send<Delivered> =>
    async (spec, origin) => {
      for (let waited = 0; ;) {
        const delivered = await next(spec, origin);
        const { response } = delivered;
        if (!isThrottling(response)) {
          rateLimiter.responded();
          return delivered;
        }
        recorder.observe("OPEN-27", "any request", throttlingText(response));
        const wait = waitOf(response, Date.now());
        if (presentsItsOwn(spec)) await lockOut(spec, response.status, wait, waited);
        else {
          slowDown(spec, response.status, wait, waited);
          if (isAlone) await pause(Math.max(wait, shortestWait), signal);
        }
        waited += Math.max(wait, shortestWait);
      }
    };
};

const throttlingText = ({ status, headers }: ReceivedResponse): string =>
  `${status} ${fieldOf(headers, "retry-after") === undefined ? "without" : "with"} Retry-After`;

const tooLong = (spec: RequestSpec, status: number, wait: number): string =>
  `${operationTitle(spec.operation)} was throttled with ${status}` +
  (wait > longestWait ? ` and a wait of ${Math.round(wait / 1000)} s` : ` for more than ${longestWaits / 1000} s`) +
  `. Raise the server's limit for this client, or lower --rate and --concurrency.`;
