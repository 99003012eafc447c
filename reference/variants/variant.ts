import type { Json as JsonValue } from "../../spec/json.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { answers, instead, sent, type When, type Json } from "../change.ts";
import { type Answer, type Call, type Change, Refusal, type RefusalReason } from "../policy.ts";

/** A legal way in which a server can differ from the reference server. */
export interface Variant {
  readonly id: string;
  readonly about: string;
  /** The open question that the variant answers in another way than the reference. */
  readonly answers?: QuestionId;
  /** Variants with the same slot change the same thing, and are never combined. */
  readonly slot?: string;
  /** Ids of other variants with which this one cannot be combined. */
  readonly excludes?: readonly string[];
  readonly needs?: VariantNeeds;
  /**
   * The variant is legal but unusual. A run must never blame it, but may end without a verdict on
   * it (INT-43).
   */
  readonly rare?: true;
  readonly change: Change;
}

/** Settings of a run without which the verdict of the run on the variant would be wrong. */
export interface VariantNeeds {
  /** The most decimals that an amount may have. */
  readonly amountDecimals?: number;
  /** Members of POST /batches without which no operation gets into a batch. */
  readonly batchMembers?: Readonly<Record<string, JsonValue>>;
  /** EFX is the only purpose of the server, so that the run must name no other. */
  readonly onlyEfx?: true;
  readonly slow?: true;
  readonly https?: true;
}

export type VariantFacts = Pick<Variant, "answers" | "slot" | "excludes" | "needs" | "rare">;

export function row(id: string, about: string, facts: VariantFacts = {}) {
  const by = (change: Change): Variant => ({ id, about, change, ...facts });
  return {
    by,
    /**
     * Gives this answer to the requests that `when` selects, without checking their token or
     * reading them.
     */
    gives: (answer: Answer, when: (call: Call) => boolean) => by(instead(when, answer)),
    answers: (when: When, change: (answer: Answer, call: Call) => Answer) =>
      by(answers(when, change)),
  };
}

export function rowsWith(shared: VariantFacts) {
  return (id: string, about: string, facts: VariantFacts = {}) =>
    row(id, about, { ...shared, ...facts });
}

export type IsWrong = (body: Json, call: Call) => boolean;

/**
 * Adds a check to an endpoint: a request for which `isWrong` holds is refused with this message.
 */
export function refusing(
  at: OperationName,
  message: string,
  isWrong: IsWrong,
  status = 422,
  reason: RefusalReason = "invalid",
): Change {
  return (base) => ({
    check: (call) => {
      base.check(call);
      if (call.operation === at && isWrong(sent(call), call))
        throw new Refusal(status, reason, message);
    },
  });
}

/** Variants that refuse more at an endpoint than the reference does. */
export function refused(
  at: OperationName,
  facts: VariantFacts,
  rows: readonly (readonly [
    id: string,
    about: string,
    isWrong: IsWrong,
    status?: number,
    reason?: RefusalReason,
  ])[],
): readonly Variant[] {
  return rows.map(([id, about, ...how]) => row(id, about, facts).by(refusing(at, about, ...how)));
}

/** The value at a path such as `bank_account.iban`. Undefined if there is none. */
export function valueAt(body: Json, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (Object(value) as Json)[name], body);
}

export function textAt(body: Json, path: string): string | undefined {
  const value = valueAt(body, path);
  return typeof value === "string" ? value : undefined;
}

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
