import type { OperationName } from "../../spec/operations.ts";
import { remembering, sent } from "../change.ts";
import type { Json } from "../edits.ts";
import { sentMembers } from "../members.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { Refusal } from "../refusal.ts";
import type { RefusalReason } from "../refusal.ts";
import { refused, refusing, row, rowsWith, textAt } from "./variant.ts";
import type { IsWrong, Variant } from "./variant.ts";

/** What identifies a request; undefined for one that never counts as a repetition. */
type ValueOf = (body: Json, call: Call) => string | undefined;

/** Refuses with 409 a value that was sent before. */
const refusingAgain = (
  at: OperationName,
  valueOf: ValueOf,
  message: string,
  reason: RefusalReason = "duplicate",
): Change =>
  remembering(() => {
    const seen = new Set<string>();
    const isKnown: IsWrong = (body, call) => {
      const value = valueOf(body, call);
      if (value === undefined || seen.has(value)) return value !== undefined;
      seen.add(value);
      return false;
    };
    return refusing(at, message, isKnown, 409, reason);
  });

/** Answers a value that was sent before with `again` of the first answer. */
const answeringAgain = (at: OperationName, valueOf: ValueOf, again: (first: Answer) => Answer = in200): Change =>
  remembering(() => {
    const known = new Map<string, Answer>();
    return (base) => ({
      perform: async (call) => {
        const value = call.operation === at ? valueOf(sent(call), call) : undefined;
        const first = known.get(value ?? "");
        if (first) return again(first);
        const answer = await base.perform(call);
        if (value !== undefined) known.set(value, answer);
        return answer;
      },
    });
  });

const in200 = (first: Answer): Answer => ({ ...first, status: 200 });
const refusePair = (): never => {
  throw new Refusal(409, "duplicate", "There is a batch for this pair");
};

const textOf =
  (...names: readonly string[]): ValueOf =>
  (body) =>
    names.every((name) => body[name] === undefined) ? undefined : JSON.stringify(names.map((name) => body[name]));
const wholeBody: ValueOf = (body) => JSON.stringify(body);

/** The EFX operation that the path names. */
const efxOf = (call: Call) => {
  const operation = call.store.operations.get(call.parameter);
  return operation?.purpose === "EFX" ? operation : undefined;
};

const nothingWaits: IsWrong = (body, { store }) =>
  ![...store.operations.values()].some(({ pair, batch }) => pair === body["currency_pair"] && batch === null);

const duplicates = rowsWith({ slot: "duplicates" });
const ofPair = rowsWith({ answers: "OPEN-32", slot: "batches of a pair" });

/** Servers that return an existing resource for the same data, or refuse it. */
export const repetitionVariants: readonly Variant[] = [
  row("external-id-unique", "An external_id that is in use is refused.").by(
    refusingAgain("createCounterparty", (body) => textAt(body, "external_id"), "external_id is taken"),
  ),
  duplicates("counterparties-merged", "The same data returns the existing payee.").by(
    answeringAgain("createCounterparty", wholeBody),
  ),
  duplicates("accounts-merged", "The same account returns the existing payee.").by(
    answeringAgain("createCounterparty", textOf("bank_account")),
  ),
  duplicates("external-ids-merged", "The same external_id returns the existing payee.").by(
    answeringAgain("createCounterparty", textOf("external_id")),
  ),
  duplicates("operations-merged", "The same data returns the existing operation.").by(
    answeringAgain("createOperation", wholeBody),
  ),
  duplicates("operations-merged-by-members", "The same four members return the existing operation.").by(
    answeringAgain("createOperation", textOf(...sentMembers.createOperation)),
  ),
  duplicates("counterparties-refused-twice", "The same counterparty is refused the second time.").by(
    refusingAgain("createCounterparty", wholeBody, "This counterparty is there"),
  ),
  duplicates("operations-refused-twice", "The same operation is refused the second time.").by(
    refusingAgain("createOperation", wholeBody, "This operation is there"),
  ),
  row("second-item-refused", "A second item for an operation is refused.", { answers: "OPEN-30" }).by(
    refusing(
      "addAcamItem",
      "There is an item already",
      (_body, call) => (call.store.operations.get(call.parameter)?.items ?? 0) > 0,
      409,
      "second item",
    ),
  ),
  row("item-once-per-counterparty", "A second item for a counterparty is refused.").by(
    refusingAgain("addAcamItem", (_body, call) => efxOf(call)?.counterparty.id, "The payee has an item", "limit"),
  ),
  row("tax-id-once", "A tax id that another item has is refused.").by(
    refusingAgain("addAcamItem", (body, call) => efxOf(call) && textAt(body, "tax_id"), "The tax id is taken", "limit"),
  ),
  row("counterparties-five", "More than five counterparties are refused.").by(
    refusing(
      "createCounterparty",
      "There are five counterparties already",
      (_body, call) => call.store.counterparties.size >= 5,
      403,
      "limit",
    ),
  ),
  ofPair("second-batch-refused", "A second batch for a pair is refused.").by(
    answeringAgain("createBatch", textOf("currency_pair"), refusePair),
  ),
  ofPair("second-batch-same", "A second batch for a pair returns the first one.").by(
    answeringAgain("createBatch", textOf("currency_pair")),
  ),
  ...refused("createBatch", { answers: "OPEN-32", slot: "batches of a pair" }, [
    ["empty-batch-refused", "A batch is refused if no operation of its pair waits for one.", nothingWaits],
  ]),
];
