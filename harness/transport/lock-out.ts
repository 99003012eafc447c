import { operationTitle } from "../../spec/operations.ts";
import type { RequestSpec } from "../../model/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import { Inconclusive } from "../scenario-errors.ts";
import { longestWait, pause, shortestWait } from "./throttling.ts";

/** Longest sum of waits for bad credentials, of all kinds, that may be in vain; in milliseconds. */
const longestInVain = 45_000;

/**
 * Some servers throttle clients that present bad credentials, and only those: such a request waits alone, and for each kind of
 * credentials in vain but once. Throws Inconclusive where it has waited long enough (INT-13).
 */
export const createLockOut = (recorder: Recorder, signal: AbortSignal) => {
  const lockedOut = new Set<"keys" | "tokens">();
  let inVain = 0;
  return async (spec: RequestSpec, status: number, wait: number, waited: number): Promise<void> => {
    const kind = spec.operation === "createToken" ? "keys" : "tokens";
    if (lockedOut.has(kind) || wait > longestWait || inVain + waited + wait > longestInVain) {
      if (!lockedOut.has(kind)) inVain += waited;
      lockedOut.add(kind);
      throw new Inconclusive(
        `${operationTitle(spec.operation)} puts bad ${kind} off with ${status}. Raise the server's limit of failed attempts for this client.`,
      );
    }
    recorder.emit({ type: "waiting", text: `${status} for bad ${kind}, waiting ${Math.ceil(wait / 1000)} s` });
    await pause(Math.max(wait, shortestWait), signal);
    if (signal.aborted) throw new Inconclusive("the run was stopped before there was a response");
  };
};
