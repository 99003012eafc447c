import type { RequirementId } from "../../spec/catalogue.ts";
import type { Json } from "../../spec/json.ts";
import type { OperationName } from "../../spec/operations.ts";
import {
  answers,
  instead,
  rawResponse,
  refusalOf,
  success,
  successOf,
  withBytes,
} from "../change.ts";
import type { Edit } from "../change.ts";
import type { Answer, Call, Change, RefusalReason } from "../policy.ts";

/** A change to the server that breaks one requirement. */
export interface Fault {
  readonly id: string;
  /** The requirement that a run must blame. */
  readonly breaks: RequirementId;
  /**
   * Requirements that the fault breaks as well, so that a run may blame them too. For example, a
   * status of null is neither `pending_quote` nor a string.
   */
  readonly also?: readonly RequirementId[];
  /** The endpoint where the fault shows. Absent if there are several. */
  readonly operation?: OperationName;
  readonly about: string;
  /** Requests run into their time-out, so that a run should set a short time-out. */
  readonly slow?: true;
  /** Settings of a run without which the fault does not show. */
  readonly needs?: FaultNeeds;
  /**
   * Which condition must be met for the fault to show. Absent if the fault shows without any
   * condition.
   */
  readonly when?: Condition;
  readonly change: Change;
}

/**
 * What a fault needs in order to show: a state of the server, an earlier request, some values,
 * requests at the same time, or time that has passed.
 */
export type Condition = "state" | "sequence" | "value" | "at once" | "time";

/**
 * Settings of a run that a fault may need in order to show: other purposes, a second pair, TLS,
 * amounts with more decimals, members of batches, `--runs`.
 */
export interface FaultNeeds {
  readonly otherPurposes?: true;
  readonly pairs?: true;
  readonly https?: true;
  readonly amountDecimals?: number;
  readonly batchMembers?: Readonly<Record<string, Json>>;
  /**
   * The value of `--runs`. A run with fewer samples does not wait long enough for the fault to
   * show.
   */
  readonly runs?: number;
}

/**
 * The requirement that a fault breaks, or a list of them: the first one becomes `breaks`, and the
 * others become `also`.
 */
export type Broken = RequirementId | readonly [RequirementId, ...RequirementId[]];

export type FaultFacts = Pick<Fault, "needs" | "slow" | "when">;
export const inState = { when: "state" } as const;
export const inSequence = { when: "sequence" } as const;
export const forSomeValues = { when: "value" } as const;
export const atOnce = { when: "at once" } as const;
export const inTime = { when: "time" } as const;
export const withPurposes = { needs: { otherPurposes: true } } as const;
/** The fault shows only after a time for which a default run does not wait. */
export const withPatience = { needs: { runs: 100 } } as const;
export const withPairs = { needs: { pairs: true } } as const;

/** Makes another answer from the right answer. */
export type Edited = (answer: Answer, call: Call) => Answer;

/** Writes faults that show at several endpoints. Their ids begin with `prefix`. */
export function faultsAnywhere(prefix = "", operation?: OperationName) {
  /** Writes a fault: what it breaks, a sentence about it, the change, and what it needs to show. */
  function fault(
    id: string,
    broken: Broken,
    about: string,
    change: Change,
    facts: FaultFacts = {},
  ): Fault {
    const [breaks, ...others] = typeof broken === "string" ? [broken] : broken;
    const also = others.filter((other) => other !== breaks);
    return {
      id: prefix + id,
      breaks,
      ...(also.length > 0 && { also }),
      ...(operation !== undefined && { operation }),
      about,
      ...facts,
      change,
    };
  }
  return { fault };
}

/**
 * Writes faults of one endpoint: `fault` makes a fault, and the other verbs make the usual changes
 * to what the endpoint answers.
 */
export function faultsAt(operation: OperationName, prefix = "") {
  const { fault } = faultsAnywhere(prefix, operation);

  /** Changes the body of each success. */
  function shows(change: Edit): Change {
    return success(operation, change);
  }

  /** Changes the refusals for this reason. */
  function refuses(reason: RefusalReason | "any", change: Edited): Change {
    const isRefusal = reason === "any" ? refusalOf(operation) : refusalOf(operation, reason);
    return answers(isRefusal, change);
  }

  /**
   * Gives this answer to the requests that `when` selects, without checking their token or reading
   * them.
   */
  function gives(answer: Answer, when: (call: Call) => boolean = () => true): Change {
    return instead((call) => call.operation === operation && when(call), answer);
  }

  /** Changes the text of each success when it is written. */
  function writes(change: (text: string, call: Call) => string | Buffer): Change {
    return rawResponse(successOf(operation), (encoded, call) =>
      withBytes(encoded, Buffer.from(change(encoded.bytes.toString(), call))),
    );
  }

  return { fault, shows, refuses, gives, writes };
}

export const at = {
  createToken: faultsAt("createToken", "token-"),
  createCounterparty: faultsAt("createCounterparty", "counterparty-"),
  createOperation: faultsAt("createOperation", "operation-"),
  addAcamItem: faultsAt("addAcamItem", "acam-"),
  createBatch: faultsAt("createBatch", "batch-"),
  listBatches: faultsAt("listBatches", "list-"),
} as const satisfies Record<OperationName, unknown>;

/**
 * For each endpoint, the requirements that it refuses a missing, a made-up and a tampered token,
 * and another scheme, in this order.
 */
export const tokenRefusals = {
  createOperation: ["AUTH-20", "AUTH-21", "AUTH-22", "AUTH-23"],
  createCounterparty: ["AUTH-24", "AUTH-25", "AUTH-26", "AUTH-27"],
  addAcamItem: ["AUTH-28", "AUTH-29", "AUTH-30", "AUTH-31"],
  createBatch: ["AUTH-32", "AUTH-33", "AUTH-34", "AUTH-35"],
  listBatches: ["AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39"],
} as const;

/** The requirements that the list refuses a bad token, by what is wrong with the token. */
export const badTokensAtList = [
  "AUTH-37",
  "AUTH-38",
  "AUTH-39",
  "AUTH-40",
  "AUTH-41",
  "AUTH-42",
] as const;

/** An endpoint that needs a token. */
export type TokenEndpoint = keyof typeof tokenRefusals;

/**
 * For each member of an operation, the requirements that a request is refused if the member is
 * missing, null or of a wrong type.
 */
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

/**
 * For each endpoint, the requirements that it refuses a request. A 500 in place of a refusal breaks
 * them, too.
 */
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
  list: [...tokenRefusals.listBatches, "AUTH-40", "AUTH-41", "AUTH-42"],
} as const satisfies Record<string, readonly RequirementId[]>;
