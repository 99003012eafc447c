import type { RequirementId } from "../../spec/catalogue.ts";
import type { Json } from "../../spec/contract.ts";
import type { OperationName } from "../../spec/operations.ts";
import { answers, instead, rawResponse, refusalOf, success, successOf, withBytes, type Edit } from "../change.ts";
import type { Answer, Call, Change, RefusalReason } from "../policy.ts";

/** One change to the server that breaks one requirement. */
export interface Fault {
  readonly id: string;
  /** The requirement that a run must blame. */
  readonly breaks: RequirementId;
  /**
   * Requirements that the change breaks as well, so that a run may blame them too: a status of null is not
   * `pending_quote`, and it is not a string. A run that blames any other requirement is wrong.
   */
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

/** The requirement that a fault breaks. In a list, the first one is `breaks` and the others are `also`. */
export type Broken = RequirementId | readonly [RequirementId, ...RequirementId[]];

export type Facts = Pick<Fault, "needs" | "slow">;
export const withPurposes = { needs: { otherPurposes: true } } as const;
export const withPairs = { needs: { pairs: true } } as const;

/** Makes rows of faults whose ids begin with `prefix`, and which show at one endpoint or anywhere. */
export const rowsAnywhere =
  (prefix = "", operation?: OperationName) =>
  (id: string, broken: Broken, about: string, facts: Facts = {}) => {
    const [breaks, ...others] = typeof broken === "string" ? [broken] : broken;
    const also = others.filter((other) => other !== breaks);
    const optional = { ...(also.length > 0 && { also }), ...(operation !== undefined && { operation }), ...facts };
    return { by: (change: Change): Fault => ({ id: prefix + id, breaks, about, change, ...optional }) };
  };

/** The same for one endpoint, with the usual changes to its responses. */
export const rowsOf =
  (operation: OperationName, prefix = "") =>
  (...facts: Parameters<ReturnType<typeof rowsAnywhere>>) => {
    const { by } = rowsAnywhere(prefix, operation)(...facts);
    return {
      by,
      shows: (change: Edit) => by(success(operation, change)),
      refuses: (reason: RefusalReason | "any", change: (answer: Answer, call: Call) => Answer) =>
        by(answers(reason === "any" ? refusalOf(operation) : refusalOf(operation, reason), change)),
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

export const rows = {
  createToken: rowsOf("createToken", "token-"),
  createCounterparty: rowsOf("createCounterparty", "counterparty-"),
  createOperation: rowsOf("createOperation", "operation-"),
  addAcamItem: rowsOf("addAcamItem", "acam-"),
  createBatch: rowsOf("createBatch", "batch-"),
  listBatches: rowsOf("listBatches", "list-"),
} as const satisfies Record<OperationName, unknown>;
