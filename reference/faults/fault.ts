import type { RequirementId } from "../../spec/catalogue.ts";
import type { Json } from "../../spec/contract.ts";
import type { OperationName } from "../../spec/operations.ts";
import {
  answers,
  instead,
  numberedSuccess,
  problem,
  refusalOf,
  success,
  successOf,
  rawResponse,
  withBytes,
} from "../change.ts";
import type { Edit } from "../edits.ts";
import type { Answer, Call, Change } from "../policy.ts";
import type { RefusalReason } from "../refusal.ts";

/** One change to the server that breaks one requirement. */
export interface Fault {
  readonly id: string;
  /** The requirement that a run must blame. */
  readonly breaks: RequirementId;
  /** Requirements that the change breaks as well, so that a run may blame them too. */
  readonly also?: readonly RequirementId[];
  /** The endpoint where it shows; absent if there are several. */
  readonly operation?: OperationName;
  readonly about: string;
  /** Requests run into their time-out, so a run should have a short one. */
  readonly slow?: true;
  /** Settings of a run without which the fault does not show. */
  readonly needs?: FaultNeeds;
  readonly change: Change;
}

/** Settings of a run: other purposes than EFX, a second pair, TLS, amounts with more than two decimals, members of batches. */
export interface FaultNeeds {
  readonly otherPurposes?: true;
  readonly pairs?: true;
  readonly https?: true;
  readonly amountDecimals?: number;
  readonly batchMembers?: Readonly<Record<string, Json>>;
}

/** The optional members of a row. */
export type Facts = Pick<Fault, "also" | "needs" | "slow">;

/** An error of the server. */
export const crashed = problem(500, "Internal server error");

/** Makes rows whose faults show at one endpoint; their ids begin with `prefix`. */
export const rowsOf =
  (operation: OperationName, prefix = "") =>
  (id: string, breaks: RequirementId, about: string, facts: Facts = {}) => {
    const by = (change: Change): Fault => ({ id: prefix + id, breaks, operation, about, change, ...facts });
    return {
      by,
      /** Changes the bodies of successes. */
      shows: (change: Edit) => by(success(operation, change)),
      /** Changes the bodies of the successes whose number, counted from 1, is `hit`. */
      showsAt: (hit: (n: number) => boolean, change: Edit) => by(numberedSuccess(operation, hit, change)),
      /** Changes refusals, all of them or those for these reasons. */
      refuses: (change: (answer: Answer, call: Call) => Answer, ...reasons: readonly RefusalReason[]) =>
        by(answers(refusalOf(operation, ...reasons), change)),
      /** Changes the bytes of successes; the length follows. */
      writes: (change: (text: string, call: Call) => string | Buffer) =>
        by(
          rawResponse(successOf(operation), (encoded, call) =>
            withBytes(encoded, Buffer.from(change(encoded.bytes.toString(), call))),
          ),
        ),
      /** Gives this answer to the requests that `when` selects, without authenticating or reading them. */
      gives: (answer: Answer, when: (call: Call) => boolean = () => true) =>
        by(instead((call) => call.operation === operation && when(call), answer)),
    };
  };

/** Makes rows whose faults show at several endpoints. */
export const rowsAnywhere =
  (prefix: string) =>
  (id: string, breaks: RequirementId, about: string, facts: Facts = {}) => ({
    by: (change: Change): Fault => ({ id: prefix + id, breaks, about, change, ...facts }),
  });

/** From the second one on. */
export const later = (n: number): boolean => n > 1;
