import { operationTitle } from "../../spec/operations.ts";
import type { RequestSpec } from "../../model/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import { Inconclusive } from "../scenario-errors.ts";
import { longestWait, pause, shortestWait } from "./throttling.ts";

/** The longest that waits for bad credentials may take in total without success, in milliseconds. */
const longestInVain = 45_000;

/**
 * Some servers throttle only clients that present bad credentials. Then only such requests wait, and after a wait
 * without success no more of that kind (keys or tokens) do. Throws Inconclusive after the longest wait (INT-13).
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
