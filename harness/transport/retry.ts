import { operationTitle } from "../../spec/operations.ts";
import type { Delivered, Delivery, DeliveryParts } from "./delivery.ts";
import type { RequestSpec } from "../../model/exchange.ts";
import type { Origin } from "../recording/recorder.ts";
import { Inconclusive } from "../scenario-errors.ts";
import { isThrottling, longestWait, longestWaits, pause, waitOf } from "./throttling.ts";
import { presentsItsOwn } from "./wire.ts";

/** Sends one ask until something other than a request for patience comes back. */
export type Retry = (ask: RequestSpec, origin: Origin) => Promise<Delivered>;

/** Waits before a gateway's 502, 503 or 504 is asked again, in milliseconds (ruling 4). */
const gatewayWaits = [200, 800, 1600];

/** Conflicts that stay when asked again alone, after which they are taken for this server's word on what it refuses. */
const mostConflicts = 3;

/** Times in a row that slowing down was in vain, after which 503 is taken for trouble rather than for haste. */
const mostSlowing = 4;

type RetryParts = Pick<DeliveryParts, "recorder" | "rateLimiter" | "signal"> & { readonly delivery: Delivery };

/** The patience that the rulings grant a busy server. What it resolves to counts; throws Inconclusive where none is left. */
export const createRetry = ({ recorder, rateLimiter, signal, delivery }: RetryParts): Retry => {
  /** Bad credentials that were put off for longer than one waits. */
  const lockedOut = new Set<"keys" | "tokens">();

  /**
   * Servers put off who presents bad credentials, and nobody else: this question waits, and in vain but once. Throws
   * Inconclusive where it has waited long enough (ruling 13).
   */
  const lockOut = async (ask: RequestSpec, status: number, wait: number, waited: number): Promise<void> => {
    const kind = ask.operation === "createToken" ? "keys" : "tokens";
    if (lockedOut.has(kind) || wait > longestWait || waited + wait > longestWaits) {
      lockedOut.add(kind);
      throw new Inconclusive(
        `${operationTitle(ask.operation)} puts bad ${kind} off with ${status}. Raise the server's limit of failed attempts for this client.`,
      );
    }
    recorder.tell({ type: "waiting", text: `${status} for bad ${kind}, waiting ${Math.ceil(wait / 1000)} s` });
    await pause(Math.max(wait, 200), signal);
    if (signal.aborted) throw new Inconclusive("the run was stopped before this was answered");
  };

  const conflicts = { stayed: 0, gone: 0 };
  let slowedInVain = 0;

  /** A conflict or a lock may be one with another request under way (RFC 9110, 15.5.10): asked again while there is none. */
  const undisturbed = async (ask: RequestSpec, delivered: Delivered): Promise<Delivered> => {
    const { status } = delivered.response;
    if (!isConflict(status) || (conflicts.gone === 0 && conflicts.stayed >= mostConflicts)) return delivered;
    const again = await rateLimiter.alone(() => delivery.direct(ask));
    if (isConflict(again.response.status)) conflicts.stayed += 1;
    else {
      conflicts.gone += 1;
      recorder.observe("OPEN-27", "any request", `${status} while another request was in flight`);
    }
    return again;
  };

  return async (ask, origin) => {
    let waited = 0;
    let slowed = false;
    for (let gateway = 0; ;) {
      const delivered = await undisturbed(ask, await delivery.deliver(ask, origin));
      const { response } = delivered;
      if (isThrottling(response)) {
        recorder.observe(
          "OPEN-27",
          "any request",
          `${response.status} ${response.headers.some(([n]) => n.toLowerCase() === "retry-after") ? "with" : "without"} Retry-After`,
        );
        const wait = waitOf(response, Date.now());
        if (presentsItsOwn(ask)) {
          await lockOut(ask, response.status, wait, waited);
          waited += Math.max(wait, 200);
          continue;
        }
        const long = wait > longestWait || waited + wait > longestWaits || rateLimiter.throttledFor() > longestWaits;
        if (rateLimiter.throttledFor() > longestWaits) rateLimiter.throttled(wait);
        if (long) throw new Inconclusive(tooLong(ask, response.status, wait));
        waited += Math.max(wait, 200);
        recorder.tell({
          type: "waiting",
          text: `${response.status} from the target, waiting ${Math.ceil(wait / 1000)} s`,
        });
        rateLimiter.throttled(wait);
        continue;
      }
      rateLimiter.answered();
      const wait = gatewayWaits[gateway];
      if ([502, 503, 504].includes(response.status) && wait !== undefined && !delivery.hopeless(ask.operation)) {
        gateway += 1;
        // Twice in a row: some servers say so what others say with 429, and want to be asked more slowly.
        if (response.status === 503 && gateway > 1 && slowedInVain < mostSlowing) {
          rateLimiter.throttled(wait);
          slowedInVain += 1;
          slowed = true;
        }
        await pause(wait, signal);
        continue;
      }
      const isTrouble = [502, 503, 504].includes(response.status);
      if (isTrouble) delivery.gaveUp(ask.operation);
      if (slowed && !isTrouble) slowedInVain = 0;
      return delivered;
    }
  };
};

/** 409 Conflict, 423 Locked, 425 Too Early. */
const isConflict = (status: number): boolean => [409, 423, 425].includes(status);

const tooLong = (ask: RequestSpec, status: number, wait: number): string =>
  `${operationTitle(ask.operation)} was put off with ${status}` +
  (wait > longestWait ? ` and asked to wait ${Math.round(wait / 1000)} s` : ` for more than ${longestWaits / 1000} s`) +
  `. Raise the server's limit for this client, or lower --rate and --concurrency.`;
