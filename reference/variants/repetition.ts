import type { OperationName } from "../../spec/operations.ts";
import { remembering, sent } from "../change.ts";
import type { Json } from "../edits.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { Refusal } from "../refusal.ts";
import type { RefusalReason } from "../refusal.ts";
import { refusing, textAt } from "./refusing.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** Refuses with 409 a value that was sent before. A request without a value passes. */
const refusingAgain = (
  operation: OperationName,
  valueOf: (body: Json, call: Call) => string | undefined,
  message: string,
  reason: RefusalReason = "duplicate",
): Change =>
  remembering(() => {
    const seen = new Set<string>();
    return refusing(
      operation,
      (body, call) => {
        const value = valueOf(body, call);
        if (value === undefined) return undefined;
        if (seen.has(value)) return message;
        seen.add(value);
        return undefined;
      },
      409,
      reason,
    );
  });

/** The EFX operation that the path names. */
const efxOf = (call: Call) => {
  const operation = call.store.operations.get(call.parameter);
  return operation?.purpose === "EFX" ? operation : undefined;
};

const wholeBody = (body: unknown): string => JSON.stringify(body);
const fourMembers = (body: Json): string =>
  JSON.stringify(
    ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"].map((name) => body[name]),
  );

/** Answers a value that was sent before with `again` of the first answer. */
const answeringAgain =
  (operation: OperationName, valueOf: (body: Json) => unknown, again: (first: Answer) => Answer = in200): Change =>
  (base) => {
    const answers = new Map<unknown, Answer>();
    return {
      perform: async (call) => {
        if (call.operation !== operation) return base.perform(call);
        const value = valueOf(sent(call));
        const first = answers.get(value);
        if (first) return again(first);
        const answer = await base.perform(call);
        answers.set(value, answer);
        return answer;
      },
    };
  };

const in200 = (first: Answer): Answer => ({ ...first, status: 200 });
const pairOf = (body: Json): unknown => body["currency_pair"];

const duplicates = { slot: "duplicates" } as const;
const ofPair = { answers: "OPEN-32", slot: "batches of a pair" } as const;

/** Servers that return an existing resource for the same data, or refuse it. */
export const repetitionVariants: readonly Variant[] = [
  row("external-id-unique", "An external_id that is in use is refused.").by(
    refusingAgain("createCounterparty", (body) => textAt(body, "external_id"), "external_id is taken"),
  ),
  row("counterparties-merged", "The same data returns the existing counterparty.", duplicates).by(
    answeringAgain("createCounterparty", wholeBody),
  ),
  row("accounts-merged", "The same account returns the existing counterparty.", duplicates).by(
    answeringAgain("createCounterparty", (body) => JSON.stringify(body["bank_account"] ?? Math.random())),
  ),
  row("external-ids-merged", "The same external_id returns the existing counterparty.", duplicates).by(
    answeringAgain("createCounterparty", (body) => body["external_id"] ?? Math.random()),
  ),
  row("operations-merged", "The same data returns the existing operation.", duplicates).by(
    answeringAgain("createOperation", wholeBody),
  ),
  row("operations-merged-by-members", "The same four specified members return the existing operation.", duplicates).by(
    answeringAgain("createOperation", fourMembers),
  ),
  row("counterparties-refused-twice", "The same data is refused the second time.", duplicates).by(
    refusingAgain("createCounterparty", wholeBody, "This counterparty is there"),
  ),
  row("operations-refused-twice", "The same data is refused the second time.", duplicates).by(
    refusingAgain("createOperation", wholeBody, "This operation is there"),
  ),
  row("second-item-refused", "A second item for an operation is refused.", { answers: "OPEN-30" }).by(
    refusing(
      "addAcamItem",
      (_body, call) => (call.store.operations.get(call.parameter)?.items ?? 0) > 0 && "There is an item already",
      409,
      "second item",
    ),
  ),
  row("item-once-per-counterparty", "A second item for a counterparty is refused.").by(
    refusingAgain(
      "addAcamItem",
      (_body, call) => efxOf(call)?.counterparty.id,
      "There is an item for this counterparty",
      "limit",
    ),
  ),
  row("tax-id-once", "A tax id that another item has is refused.").by(
    refusingAgain(
      "addAcamItem",
      (body, call) => (efxOf(call) ? textAt(body, "tax_id") : undefined),
      "This tax id has an item already",
      "limit",
    ),
  ),
  row("counterparties-five", "More than five counterparties are refused.").by(
    refusing(
      "createCounterparty",
      (_body, call) => call.store.counterparties.size >= 5 && "There are five counterparties already",
      403,
      "limit",
    ),
  ),
  row("second-batch-refused", "A second batch for a pair is refused.", ofPair).by(
    answeringAgain("createBatch", pairOf, () => {
      throw new Refusal(409, "duplicate", "There is a batch for this pair");
    }),
  ),
  row("second-batch-same", "A second batch for a pair returns the first one.", ofPair).by(
    answeringAgain("createBatch", pairOf),
  ),
  row("empty-batch-refused", "A batch is refused if no operation of its pair waits for one.", ofPair).by(
    refusing("createBatch", (body, call) => {
      const operations = [...call.store.operations.values()];
      const isWaiting = operations.some(({ pair, batch }) => pair === body["currency_pair"] && batch === null);
      return !isWaiting && "Nothing is waiting";
    }),
  ),
];
