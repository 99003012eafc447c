import type { OperationName } from "../../spec/operations.ts";
import { remembering, sent, type Json } from "../change.ts";
import { sentMembers } from "../endpoints.ts";
import { type Answer, type Call, type Change, Refusal, type RefusalReason } from "../policy.ts";
import { refused, refusing, row, rowsWith, textAt, type IsWrong, type Variant } from "./variant.ts";

/**
 * Returns the value by which a repetition is recognised: a request with the value of an earlier one
 * repeats it. Returns undefined for a request that never counts as a repetition.
 */
type ValueOf = (body: Json, call: Call) => string | undefined;

function refusingAgain(
  at: OperationName,
  valueOf: ValueOf,
  reason: RefusalReason = "duplicate",
): Change {
  return remembering(() => {
    const seen = new Set<string>();
    const isKnown: IsWrong = (body, call) => {
      const value = valueOf(body, call);
      if (value === undefined || seen.has(value)) return value !== undefined;
      seen.add(value);
      return false;
    };
    return refusing(at, "This is known already", isKnown, 409, reason);
  });
}

/** Answers a request whose value was sent before with what `again` makes of the first answer. */
function answeringAgain(
  at: OperationName,
  valueOf: ValueOf,
  again: (first: Answer) => Answer,
): Change {
  return remembering(() => {
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
}

const in200 = (first: Answer): Answer => ({ ...first, status: 200 });
function refusePair(): never {
  throw new Refusal(409, "duplicate", "There is a batch for this pair");
}

function textOf(...names: readonly string[]): ValueOf {
  return (body) =>
    names.every((name) => body[name] === undefined)
      ? undefined
      : JSON.stringify(names.map((name) => body[name]));
}
const wholeBody: ValueOf = (body) => JSON.stringify(body);

function efxOf(call: Call) {
  const operation = call.store.operations.get(call.parameter);
  return operation?.purpose === "EFX" ? operation : undefined;
}

const nothingWaits: IsWrong = (body, { store }) =>
  ![...store.operations.values()].some(
    ({ pair, batch }) => pair === body["currency_pair"] && batch === null,
  );

const fourMembers = textOf(...sentMembers.createOperation);
const hasItem: IsWrong = (_body, { store, parameter }) =>
  (store.operations.get(parameter)?.items ?? 0) > 0;
function areMany(most: number): IsWrong {
  return (_body, { store }) => store.counterparties.size >= most;
}

const duplicates = rowsWith({ slot: "duplicates" });

function refusedTwice(what: string, at: OperationName): Variant {
  return duplicates(`${what}-refused-twice`, `The same ${what} are refused the second time.`).by(
    refusingAgain(at, wholeBody),
  );
}

function merged(
  id: string,
  what: string,
  at: "createCounterparty" | "createOperation",
  valueOf: ValueOf,
): Variant {
  return duplicates(
    id,
    `The same ${what} the existing ${at === "createOperation" ? "operation" : "payee"}.`,
  ).by(answeringAgain(at, valueOf, in200));
}

function batchAgain(again: (first: Answer) => Answer): Change {
  return answeringAgain("createBatch", textOf("currency_pair"), again);
}
const ofPair = rowsWith({ answers: "OPEN-32", slot: "batches of a pair" });

export const repetitionVariants: readonly Variant[] = [
  row("external-id-unique", "An external_id that is in use is refused.").by(
    refusingAgain("createCounterparty", (body) => textAt(body, "external_id")),
  ),
  merged("counterparties-merged", "data returns", "createCounterparty", wholeBody),
  merged("accounts-merged", "account returns", "createCounterparty", textOf("bank_account")),
  merged("external-ids-merged", "external_id returns", "createCounterparty", textOf("external_id")),
  merged("operations-merged", "data returns", "createOperation", wholeBody),
  merged("operations-merged-by-members", "four members return", "createOperation", fourMembers),
  refusedTwice("counterparties", "createCounterparty"),
  refusedTwice("operations", "createOperation"),
  ...refused("addAcamItem", { answers: "OPEN-30" }, [
    [
      "second-item-refused",
      "A second item for an operation is refused.",
      hasItem,
      409,
      "second item",
    ],
  ]),
  row("item-once-per-counterparty", "A second item for a counterparty is refused.").by(
    refusingAgain("addAcamItem", (_body, call) => efxOf(call)?.counterparty.id, "limit"),
  ),
  row("tax-id-once", "A tax id that another item has is refused.").by(
    refusingAgain("addAcamItem", (body, call) => efxOf(call) && textAt(body, "tax_id"), "limit"),
  ),
  ...refused("createCounterparty", { rare: true, slot: "number of counterparties" }, [
    ["counterparties-five", "More than five counterparties are refused.", areMany(5), 403, "limit"],
    ["counterparties-one", "A second counterparty is refused.", areMany(1), 409, "limit"],
  ]),
  ofPair("second-batch-refused", "A second batch for a pair is refused.").by(
    batchAgain(refusePair),
  ),
  ofPair("second-batch-same", "A second batch for a pair returns the first one.").by(
    batchAgain(in200),
  ),
  ...refused("createBatch", { answers: "OPEN-32", slot: "batches of a pair" }, [
    [
      "empty-batch-refused",
      "A batch is refused if no operation of its pair waits for one.",
      nothingWaits,
    ],
  ]),
];
