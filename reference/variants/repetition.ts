import type { OperationName } from "../../spec/operations.ts";
import { sent } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import { Refusal } from "../refusal.ts";
import { also, textAt } from "./also.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** True for the first of equal values, and from then on false. */
const firstTimes = (): ((value: string) => boolean) => {
  const seen = new Set<string>();
  return (value) => !seen.has(value) && seen.add(value).has(value);
};

const duplicates = { slot: "duplicates" } as const;

const wholeBody = (call: Call): string => JSON.stringify(call.body);
const fourMembers = (call: Call): string => {
  const { currency_amount, operation_purpose, currency_pair, counterparty_id } = sent(call);
  return JSON.stringify([currency_amount, operation_purpose, currency_pair, counterparty_id]);
};

/** Answers equal data with what it made the first time. */
const merging =
  (operation: OperationName, dataOf = wholeBody): Change =>
  (base) => {
    const made = new Map<string, unknown>();
    return {
      perform: async (call) => {
        if (call.operation !== operation) return base.perform(call);
        const data = dataOf(call);
        if (made.has(data)) return { status: 200, headers: {}, body: made.get(data) };
        const answer = await base.perform(call);
        made.set(data, answer.body);
        return answer;
      },
    };
  };

const onePerPair =
  (again: (call: Call) => Promise<never> | undefined): Change =>
  (base) => {
    const first = new Map<unknown, Awaited<ReturnType<typeof base.perform>>>();
    return {
      perform: async (call) => {
        if (call.operation !== "createBatch") return base.perform(call);
        const pair = sent(call)["currency_pair"];
        const there = first.get(pair);
        if (there) return (await again(call)) ?? { ...there, status: 200 };
        const answer = await base.perform(call);
        first.set(pair, answer);
        return answer;
      },
    };
  };

/** What a second time does: the same again, or a refusal. */
export const repetitionVariants: readonly Variant[] = [
  row("external-id-unique", "An external_id that is there already is refused.").by((base) => {
    const isFirst = firstTimes();
    return also(
      "createCounterparty",
      (body) => {
        const id = textAt(body, "external_id");
        return id === undefined || isFirst(id) ? undefined : "external_id is taken";
      },
      409,
      "duplicate",
    )(base);
  }),
  row("counterparties-merged", "The same data is answered with the counterparty that is there.", duplicates).by(
    merging("createCounterparty"),
  ),
  row("operations-merged", "The same data is answered with the operation that is there.", duplicates).by(
    merging("createOperation"),
  ),
  row(
    "operations-merged-by-members",
    "The same amount, purpose, pair and counterparty are answered with the operation that is there.",
    duplicates,
  ).by(merging("createOperation", fourMembers)),
  row("counterparties-refused-twice", "The same data is refused the second time.", duplicates).by((base) => {
    const isFirst = firstTimes();
    return also(
      "createCounterparty",
      (body) => (isFirst(JSON.stringify(body)) ? undefined : "This counterparty is there"),
      409,
      "duplicate",
    )(base);
  }),
  row("operations-refused-twice", "The same data is refused the second time.", duplicates).by((base) => {
    const isFirst = firstTimes();
    return also(
      "createOperation",
      (body) => (isFirst(JSON.stringify(body)) ? undefined : "This operation is there"),
      409,
      "duplicate",
    )(base);
  }),
  row("second-item-refused", "A second item for an operation is refused.", { answers: "OPEN-30" }).by(
    also(
      "addAcamItem",
      (_body, call) =>
        (call.store.operations.get(call.parameter)?.items ?? 0) > 0 ? "There is an item already" : undefined,
      409,
      "second item",
    ),
  ),
  row("item-once-per-counterparty", "A second item for a counterparty is refused.").by((base) => {
    const isFirst = firstTimes();
    return also(
      "addAcamItem",
      (_body, call) => {
        const operation = call.store.operations.get(call.parameter);
        if (operation === undefined || operation.purpose !== "EFX") return undefined;
        return isFirst(operation.counterparty.id) ? undefined : "There is an item for this counterparty";
      },
      409,
      "limit",
    )(base);
  }),
  row("tax-id-once", "A tax id that an item has already is refused.").by((base) => {
    const isFirst = firstTimes();
    return also(
      "addAcamItem",
      (body, call) => {
        const id = textAt(body, "tax_id");
        const operation = call.store.operations.get(call.parameter);
        if (id === undefined || operation?.purpose !== "EFX") return undefined;
        return isFirst(id) ? undefined : "This tax id has an item already";
      },
      409,
      "limit",
    )(base);
  }),
  row("counterparties-five", "A customer has five counterparties at most.").by((base) => {
    return also(
      "createCounterparty",
      (_body, call) => (call.store.counterparties.size >= 5 ? "There are five counterparties already" : undefined),
      403,
      "limit",
    )(base);
  }),
  row("second-batch-refused", "A second batch for a pair is refused.", {
    answers: "OPEN-32",
    slot: "batches of a pair",
  }).by(onePerPair(() => Promise.reject(new Refusal(409, "duplicate", "There is a batch for this pair")))),
  row("second-batch-same", "A second batch for a pair is the first one again.", {
    answers: "OPEN-32",
    slot: "batches of a pair",
  }).by(onePerPair(() => undefined)),
  row("empty-batch-refused", "A batch is refused where no operation of its pair is waiting.", {
    answers: "OPEN-32",
    slot: "batches of a pair",
  }).by(
    also("createBatch", (body, call) => {
      const waiting = [...call.store.operations.values()].some(
        ({ pair, batch }) => pair === body["currency_pair"] && batch === null,
      );
      return waiting ? undefined : "Nothing is waiting";
    }),
  ),
];
