import type { RequirementId } from "../../spec/catalogue.ts";
import type { Json as JsonValue } from "../../spec/json.ts";
import type { OperationName } from "../../spec/operations.ts";
import {
  answers,
  instead,
  rawResponse,
  reading,
  refusalOf,
  repeated,
  sent,
  success,
  successOf,
  withBytes,
  type Edit,
  type Json,
} from "../change.ts";
import { Refusal, type Answer, type Call, type Change, type RefusalReason } from "../policy.ts";

/**
 * A way in which a server differs from the reference server. It is a fault if it breaks a
 * requirement, and legal otherwise.
 */
export interface Deviation extends Omit<Facts, "breaks"> {
  readonly id: string;
  /** What the server does, as a sentence. */
  readonly about: string;
  readonly change: Change;
  /** The endpoint where it shows. Absent if there are several. */
  readonly operation?: OperationName;
  /** The requirement that a run must blame. Absent if the deviation is legal. */
  readonly breaks?: RequirementId;
  /** Requirements that are broken as well, so that a run may blame them too. */
  readonly also?: readonly RequirementId[];
}

/** What is known of a deviation besides its change. */
export interface Facts {
  /**
   * What it breaks: a requirement, or a list, of which a run must blame the first and may blame the
   * others. For example, a status of null is neither `pending_quote` nor a string. Without it, the
   * deviation is legal, and a run must be conformant.
   */
  readonly breaks?: Broken;
  /** The requirement that a legal deviation comes close to breaking. */
  readonly near?: RequirementId;
  /** What must come together for a fault to show. Absent if every request shows it. */
  readonly when?: Condition;
  /** Settings of a run without which a fault does not show, or a legal server is judged wrongly. */
  readonly needs?: Needs;
  /** Deviations that share a group change the same thing, and are never combined. */
  readonly group?: string | readonly string[];
  /**
   * What a run may leave open. `missed`: a default run may miss the fault. `open`: the server is
   * legal but unusual, and a run may end without a verdict (INT-43).
   */
  readonly known?: "missed" | "open";
}

export type Broken = RequirementId | readonly [RequirementId, ...RequirementId[]];

/**
 * What a run must look for: an earlier request or a state of the server, requests at the same time,
 * particular data, or time that has passed.
 */
export type Condition = "later" | "at once" | "data" | "time";

export interface Needs {
  readonly otherPurposes?: true;
  /** A second currency pair. */
  readonly pairs?: true;
  readonly https?: true;
  /** The most decimals that an amount may have. */
  readonly amountDecimals?: number;
  /** Members of POST /batches, without which no operation gets into a batch. */
  readonly batchMembers?: Readonly<Record<string, JsonValue>>;
  /** The value of `--runs`: a run with fewer samples does not wait for the fault. */
  readonly runs?: number;
  /** EFX is the only purpose of the server. */
  readonly onlyEfx?: true;
  /** Requests wait: for ever at a fault, which takes a short time-out, or at a slow legal server. */
  readonly slow?: true;
}

export const withPurposes = { otherPurposes: true } as const;
export const withPairs = { pairs: true } as const;
/** The fault shows only after a time for which a default run does not wait. */
export const withPatience = { runs: 100 } as const;

/** Writes a deviation that shows at several endpoints. */
export function deviation(
  id: string,
  about: string,
  change: Change,
  { breaks: broken, ...facts }: Facts = {},
  operation?: OperationName,
): Deviation {
  const [breaks, ...others] = typeof broken === "string" ? [broken] : (broken ?? []);
  const also = [...new Set(others)].filter((other) => other !== breaks);
  return { id, about, change, ...facts, operation, breaks, also };
}

/** Makes another answer from the right answer. */
export type Edited = (answer: Answer, call: Call) => Answer;
export type IsWrong = (body: Json, call: Call) => boolean;

/** How a valid request is refused. @defaultValue 422, and as invalid */
interface Rejection {
  readonly status?: number;
  readonly reason?: RefusalReason;
}

/**
 * The language of the deviations of one endpoint: `deviation` writes one, and the other verbs make
 * the change.
 */
function endpoint(operation: OperationName) {
  const isHere = (call: Call): boolean => call.operation === operation;
  function rejects(
    isWrong: IsWrong,
    message: string,
    status = 422,
    reason: RefusalReason = "invalid",
  ): Change {
    return (base) => ({
      check: (call) => {
        base.check(call);
        if (isHere(call) && isWrong(sent(call), call)) throw new Refusal(status, reason, message);
      },
    });
  }

  return {
    operation,
    deviation: (id: string, about: string, change: Change, facts: Facts = {}): Deviation =>
      deviation(id, about, change, facts, operation),
    /** Changes the body of each success. */
    shows: (change: Edit): Change => success(operation, change),
    /** Changes the successes that `when` selects. */
    succeeds: (change: Edited, when: (call: Call) => boolean = () => true): Change =>
      answers((answer, call) => successOf(operation)(answer, call) && when(call), change),
    /** Changes each success for whose call `valueOf` returned the value of an earlier success. */
    again: (valueOf: (call: Call) => unknown, change: Edited): Change =>
      repeated(successOf(operation), valueOf, change),
    /** Changes the refusals for this reason. */
    refuses: (reason: RefusalReason | "any", change: Edited): Change =>
      answers(reason === "any" ? refusalOf(operation) : refusalOf(operation, reason), change),
    /** Refuses the valid requests that `isWrong` selects, with this message. */
    rejects,
    /** Writes a legal deviation that refuses valid requests, with its sentence as the message. */
    rejection: (
      id: string,
      about: string,
      isWrong: IsWrong,
      { status, reason, ...facts }: Facts & Rejection = {},
    ): Deviation => deviation(id, about, rejects(isWrong, about, status, reason), facts, operation),
    /** Changes the body of each request, if it is an object, before it is checked. */
    reads: (change: Edit): Change => reading(operation, change),
    /**
     * Gives this answer to the requests that `when` selects, without checking their token or
     * reading them.
     */
    gives: (answer: Answer, when: (call: Call) => boolean = () => true): Change =>
      instead((call) => isHere(call) && when(call), answer),
    /** Changes the text of each success when it is written. */
    writes: (change: (text: string, call: Call) => string | Buffer): Change =>
      rawResponse(successOf(operation), (encoded, call) =>
        withBytes(encoded, Buffer.from(change(encoded.bytes.toString(), call))),
      ),
  };
}

export type Endpoint = ReturnType<typeof endpoint>;

export const at = {
  token: endpoint("createToken"),
  counterparty: endpoint("createCounterparty"),
  operation: endpoint("createOperation"),
  acam: endpoint("addAcamItem"),
  batch: endpoint("createBatch"),
  list: endpoint("listBatches"),
} as const;

/** Whether a body has a text at one of these paths that is not as it should be. */
export function wrongText(
  isRight: RegExp | ((text: string) => boolean),
  ...paths: readonly string[]
): IsWrong {
  return (body) =>
    paths.some((path) => {
      const text = textAt(body, path);
      return (
        text !== undefined && !(isRight instanceof RegExp ? isRight.test(text) : isRight(text))
      );
    });
}

/** The value at a path such as `bank_account.iban`. Undefined if there is none. */
export function valueAt(body: Json, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (Object(value) as Json)[name], body);
}

export function textAt(body: Json, path: string): string | undefined {
  const value = valueAt(body, path);
  return typeof value === "string" ? value : undefined;
}
