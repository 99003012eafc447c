import type { RequirementId } from "../../spec/catalogue.ts";
import type { Json } from "../../spec/json.ts";
import type { OperationName } from "../../spec/operations.ts";
import { answers, instead, rawResponse, refusalOf, success, successOf, withBytes, type Edit } from "../change.ts";
import type { Answer, Call, Change, RefusalReason } from "../policy.ts";

/** One change to the server that breaks one requirement. */
export interface Fault {
  readonly id: string;
  /** The requirement that a run must blame. */
  readonly breaks: RequirementId;
  /** Requirements that it breaks as well, so a run may blame them too: null is not `pending_quote`, nor a string. */
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

/** Settings of a run: other purposes, a second pair, TLS, amounts with more decimals, members of batches, `--runs`. */
export interface FaultNeeds {
  readonly otherPurposes?: true;
  readonly pairs?: true;
  readonly https?: true;
  readonly amountDecimals?: number;
  readonly batchMembers?: Readonly<Record<string, Json>>;
  /** A run with fewer samples of each property does not wait for what shows the fault. */
  readonly runs?: number;
}

/** The requirement that a fault breaks. In a list, the first one is `breaks` and the others are `also`. */
export type Broken = RequirementId | readonly [RequirementId, ...RequirementId[]];

export type Facts = Pick<Fault, "needs" | "slow">;
export const withPurposes = { needs: { otherPurposes: true } } as const;
/** Shows only after a time for which a default run does not wait. */
export const withPatience = { needs: { runs: 100 } } as const;
export const withPairs = { needs: { pairs: true } } as const;

/** Makes rows of faults whose ids begin with `prefix`, and which show at one endpoint or anywhere. */
export const rowsAnywhere =
  (prefix = "", operation?: OperationName) =>
  (id: string, broken: Broken, about: string, facts: Facts = {}) => {
    const [breaks, ...others] = typeof broken === "string" ? [broken] : broken;
    const also = others.filter((other) => other !== breaks);
    const optional = { ...(also.length > 0 && { also }), operation, ...facts };
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

/** The requirements to refuse a missing, a made-up and a tampered token, and another scheme, in this order. */
export const tokenRefusals = {
  createOperation: ["AUTH-20", "AUTH-21", "AUTH-22", "AUTH-23"],
  createCounterparty: ["AUTH-24", "AUTH-25", "AUTH-26", "AUTH-27"],
  addAcamItem: ["AUTH-28", "AUTH-29", "AUTH-30", "AUTH-31"],
  createBatch: ["AUTH-32", "AUTH-33", "AUTH-34", "AUTH-35"],
  listBatches: ["AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39"],
} as const;

/** The requirements to refuse an operation with a member that is missing, null or of a wrong type. */
export const memberRefusals = {
  currency_amount: { missing: "OPER-20", null: "OPER-24", type: "OPER-28" },
  operation_purpose: { missing: "OPER-21", null: "OPER-25", type: "OPER-29" },
  currency_pair: { missing: "OPER-22", null: "OPER-26", type: "OPER-30" },
  counterparty_id: { missing: "OPER-23", null: "OPER-27", type: "OPER-31" },
} as const;

const ofMembers = Object.values(memberRefusals);

export const operationRefusals = {
  missing: ofMembers.map(({ missing }) => missing),
  nulls: ofMembers.map((refusals) => refusals.null),
  types: ofMembers.map(({ type }) => type),
  bodies: ["OPER-32", "OPER-33", "OPER-34"],
} as const;

/** The requirements to refuse a request, by endpoint. A 500 instead of a refusal breaks them, too. */
export const refusals = {
  operation: [
    ...tokenRefusals.createOperation,
    ...Object.values(operationRefusals).flat(),
    ...(["OPER-40", "OPER-41", "OPER-42", "OPER-43", "OPER-44"] as const),
  ],
  token: ["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10", "AUTH-11"],
  counterparty: tokenRefusals.createCounterparty,
  acam: [...tokenRefusals.addAcamItem, "ACAM-03", "ACAM-04", "ACAM-05"],
  batch: tokenRefusals.createBatch,
  list: [...tokenRefusals.listBatches, "AUTH-40", "AUTH-41"],
} as const satisfies Record<string, readonly RequirementId[]>;
