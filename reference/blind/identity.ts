import { createHash, randomUUID } from "node:crypto";
import {
  answers,
  edit,
  listedBatch,
  newIds,
  remembering,
  sent,
  success,
  successOf,
} from "../change.ts";
import { withPairs, withPurposes } from "../faults/fault.ts";
import type { Answer, Call, Change, Operation, Policy } from "../policy.ts";
import { at, legal, type BlindClass } from "./blind.ts";

type Find = Policy["findOperation"];

/** Changes how the operation of an ACAM item is looked up. */
function finding(find: (base: Find) => Find): Change {
  return ({ findOperation }) => ({ findOperation: find(findOperation) });
}

function lastOf({ store }: Call): Operation | undefined {
  return [...store.operations.values()].at(-1);
}

function efxWith(id: string): Operation {
  const counterparty = { id };
  const facts = { purpose: "EFX", amount: 1, pair: "USDBRL", batch: null, items: 0 };
  return { id, ...facts, counterparty, createdAt: new Date() };
}

/**
 * Answers a new operation with the response to the first operation whose request had the same
 * members, apart from the amount.
 */
const repeatsFirst: Change = remembering(() => {
  const first = new Map<string, Answer>();
  return answers(successOf("createOperation"), (answer, call) => {
    const { currency_amount: _amount, ...others } = sent(call);
    const key = JSON.stringify(others);
    first.set(key, first.get(key) ?? answer);
    return first.get(key) ?? answer;
  });
});

function hashOf(value: unknown): string {
  return createHash("sha256").update(String(value)).digest("hex").slice(0, 24);
}

const wrapping: Change = remembering(() => {
  let made = 0;
  return newIds("batch", () => {
    made += 1;
    return `batch-${((made - 1) % 8) + 1}`;
  });
});

/** Gives each kind of resource ids that count from 1. */
const countingEachKind: Change = remembering(() => {
  const last = new Map<string, number>();
  return () => ({
    newId: (kind) => {
      last.set(kind, (last.get(kind) ?? 0) + 1);
      return String(last.get(kind));
    },
  });
});

function ids(make: () => string): Change {
  return () => ({ newId: make });
}

function echoedExternalId(change: (id: string) => unknown): Change {
  return success("createCounterparty", edit("external_id", change));
}

export const identity: BlindClass = {
  faults: [
    at.operation.fault(
      "second-resolution-ids",
      ["OPER-15", "OPER-16"],
      "The id of an operation is the second of its creation.",
      newIds("operation", () => `op_${Math.floor(Date.now() / 1000)}`),
    ),
    at.operation.fault(
      "millisecond-ids-at-once",
      ["OPER-16", "OPER-15"],
      "The id of an operation is the millisecond of its creation.",
      newIds("operation", () => `op_${Date.now()}`),
    ),
    at.counterparty.fault(
      "id-from-external-id",
      ["CPTY-10", "CPTY-11"],
      "The id is a hash of external_id, which may be absent.",
      newIds("counterparty", (call) => hashOf(sent(call)["external_id"])),
    ),
    at.batch.fault(
      "ids-wrap-at-eight",
      ["BATCH-06", "BATCH-07"],
      "Ids of batches repeat after eight.",
      wrapping,
      withPairs,
    ),
    at.operation.fault(
      "repeat-detection-ignores-amount",
      ["OPER-15", "OPER-06", "OPER-16"],
      "An operation that differs in its amount alone is the first one again.",
      repeatsFirst,
    ),
    at.operation.fault(
      "pair-lower-case",
      "OPER-07",
      "The pair comes back in small letters.",
      at.operation.shows(edit("currency_pair", (it: string) => it.toLowerCase())),
    ),
    at.list.fault(
      "pair-reversed-in-list",
      "BATCH-27",
      "The two codes of a listed pair are swapped.",
      listedBatch(edit("currency_pair", (it: string) => it.slice(3) + it.slice(0, 3))),
    ),
    at.operation.fault(
      "purpose-title-case",
      "OPER-08",
      "The purpose comes back with one capital.",
      at.operation.shows(
        edit("operation_purpose", (it: string) => it.slice(0, 1) + it.slice(1).toLowerCase()),
      ),
    ),
    at.counterparty.fault(
      "external-id-upper-case",
      "CPTY-06",
      "The external id comes back in capitals.",
      echoedExternalId((it) => it.toUpperCase()),
    ),
    at.counterparty.fault(
      "external-id-of-digits-number",
      ["CPTY-06", "CPTY-02"],
      "An external id of digits comes back as a number.",
      echoedExternalId((it) => (/^\d+$/.test(it) ? Number(it) : it)),
    ),
    at.acam.fault(
      "acam-follows-last-operation",
      ["ACAM-05", "ACAM-03"],
      "The rule looks at the operation that was created last.",
      finding((base) => (id, call) => base(id, call) && lastOf(call)),
      withPurposes,
    ),
    at.acam.fault(
      "id-prefix-match",
      "ACAM-04",
      "An operation is found where the path begins with its id.",
      finding((base) => (id, call) => {
        const known = [...call.store.operations.values()];
        return base(id, call) ?? known.find((operation) => id.startsWith(operation.id));
      }),
    ),
    at.acam.fault(
      "counterparty-id-as-operation",
      "ACAM-04",
      "The id of a counterparty is taken as that of an operation.",
      finding(
        (base) => (id, call) =>
          base(id, call) ?? (call.store.counterparties.has(id) ? efxWith(id) : undefined),
      ),
    ),
  ],
  variants: [
    legal(
      "odd-ids",
      "Ids hold a slash, a blank, a percent sign and an umlaut.",
      ids(() => `Nº 1/ü %2F ${randomUUID()}`),
    ),
    legal(
      "long-ids",
      "Ids have 200 characters.",
      ids(() => randomUUID().padEnd(200, "x")),
    ),
    legal(
      "urn-ids",
      "Ids are URNs.",
      ids(() => `urn:fx:item:${randomUUID()}`),
    ),
    legal("ids-shared-across-kinds", "Each kind counts from 1.", countingEachKind),
  ],
};
