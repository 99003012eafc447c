import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { isSuccess, jsonOf, memberOf, valid, type RequestSpec } from "../../model/exchange.ts";
import type { RunSettings } from "../../model/target.ts";
import { isUsableToken } from "../../model/token.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { Redaction } from "../recording/redaction.ts";
import { Inconclusive } from "../scenario-errors.ts";
import type { Session } from "../session/session.ts";
import type { Attempts } from "./attempt.ts";
import type { NetworkFailure } from "./network-failure.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Delivered } from "./send.ts";
import { longestWaits, pause } from "./throttling.ts";

/** Finds out whether the target responds at all, and gives up a target that does not. */
export interface Availability {
  /** Throws Inconclusive if the run was stopped or the target was given up. */
  readonly guard: () => void;
  /** Whether the target responds to a valid request of another operation than the examined one, on a fresh connection. */
  readonly respondsToControl: (examined: OperationName) => Promise<boolean>;
  /** Waits for a target that responds to nothing, and gives it up if it does not come back: throws Inconclusive. */
  readonly recover: (spec: RequestSpec, failure: NetworkFailure) => Promise<Delivered>;
}

export interface AvailabilityParts {
  readonly settings: RunSettings;
  readonly rateLimiter: RateLimiter;
  readonly recorder: Recorder;
  readonly redaction: Redaction;
  readonly signal: AbortSignal;
}

export const createAvailability = (
  { settings, rateLimiter, recorder, redaction, signal }: AvailabilityParts,
  { attempt, elapsed }: Attempts,
  session: Session,
): Availability => {
  /** Why the target was given up. */
  let lost: string | undefined;

  const giveUp = (reason: string): void => {
    lost = reason;
    recorder.emit({ type: "untestable", reason });
  };

  const guard = (): void => {
    if (signal.aborted) throw new Inconclusive("the run was stopped before there was a response");
    if (lost === undefined && rateLimiter.exhausted()) {
      giveUp(
        `the target throttled every request for more than ${longestWaits / 1000} s. Lower --rate and --concurrency`,
      );
    }
    if (lost !== undefined) throw new Inconclusive(lost);
  };

  const respondsToControl: Availability["respondsToControl"] = async (examined) => {
    if (examined === "createToken" && session.current() === undefined) return false;
    const operation = examined === "createToken" ? "listBatches" : "createToken";
    const { response } = await attempt({ operation, intent: valid }, true);
    if (response === undefined) return false;
    const issued = operation === "createToken" && isSuccess({ response }) && memberOf(jsonOf(response), "token");
    if (isUsableToken(issued)) {
      redaction.add(issued, "token");
      session.adopt(issued);
    }
    return true;
  };

  return {
    guard,
    respondsToControl,
    recover: async (spec, failure) => {
      const until = performance.now() + settings.timeout + settings.grace;
      recorder.emit({
        type: "waiting",
        text: `the target does not respond (${failure.message}), waiting for it to come back`,
      });
      for (let wait = 250; performance.now() < until && !signal.aborted; wait = Math.min(wait * 2, 2000)) {
        await pause(wait, signal);
        if (!(await respondsToControl(spec.operation)) && !(await respondsToControl("listBatches"))) continue;
        const again = await attempt(spec, true);
        if (again.response !== undefined) return again;
        throw new Inconclusive(
          `the target was in trouble and did not respond to ${operationTitle(spec.operation)}: ${again.failure.message}`,
        );
      }
      guard();
      const reason = `the target stopped responding ${Math.round(elapsed() / 1000)} s into the run: ${failure.message}`;
      giveUp(reason);
      throw new Inconclusive(reason);
    },
  };
};
