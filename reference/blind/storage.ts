import type { Answer, Call, Change } from "../policy.ts";
import {
  all,
  answers,
  batchOperation,
  edit,
  isJson,
  listedBatch,
  newIds,
  omit,
  remembering,
  repeated,
  sent,
  success,
  successOf,
  type Json,
} from "../change.ts";
import { holds, membersOf } from "../faults/raw-body.ts";
import { at, crash, crashes, legal, type BlindClass } from "./blind.ts";

const registered = successOf("createCounterparty");

/**
 * Gives counterparties the same id if `keyOf` returns the same key for them. A counterparty without
 * such a key gets its own id.
 */
function mergedBy(keyOf: (body: Json) => string | undefined): Change {
  return remembering(() => {
    const ids = new Map<string, string>();
    return newIds("counterparty", async (call, next) => {
      const key = keyOf(sent(call));
      const id = (key !== undefined && ids.get(key)) || (await next());
      if (key !== undefined) ids.set(key, id);
      return id;
    });
  });
}

function ibanOf(body: Json): string {
  const account = body["bank_account"];
  return isJson(account) ? String(account["iban"]) : "";
}

/** Gives a kind of resource ids that count from 1. */
function counting(kind: "counterparty" | "batch"): Change {
  return remembering(() => {
    let last = 0;
    return newIds(kind, () => {
      last += 1;
      return String(last);
    });
  });
}

/** Lists only the batches that `isShown` selects, the newest first, and counts only those. */
export function listing(isShown: (batch: Json, batches: readonly Json[]) => boolean): Change {
  return success("listBatches", (body) => {
    const batches = body["batches"] as readonly Json[];
    const shown = batches.filter((batch) => isShown(batch, batches));
    return { ...body, batches: shown, count: shown.length, total: shown.length };
  });
}

/** Whether a batch is the oldest one of its pair. The newest batch comes first in `batches`. */
function isFirstOfPair(batch: Json, batches: readonly Json[]): boolean {
  return batches.findLast((it) => it["currency_pair"] === batch["currency_pair"]) === batch;
}

function bodyText(call: Call): string {
  return JSON.stringify(sent(call));
}

/** Answers a repeated registration in the same way as the first one. */
const duplicatesMerged: Change = remembering(() => {
  const first = new Map<string, Answer>();
  return answers(registered, (answer, call) => {
    const earlier = first.get(bodyText(call));
    first.set(bodyText(call), earlier ?? answer);
    return earlier ?? answer;
  });
});

const lag = 1_500;

function isOld(time: number | undefined): boolean {
  return time !== undefined && Date.now() - time > lag;
}

const lagging: Change = (base) => ({
  findCounterparty: (id, call) =>
    isOld(call.store.registered.get(id)) ? base.findCounterparty(id, call) : undefined,
  findOperation: (id, call) => {
    const operation = base.findOperation(id, call);
    return isOld(operation?.createdAt.getTime()) ? operation : undefined;
  },
  listed: (call) => base.listed(call).filter((batch) => isOld(batch.createdAt.getTime())),
});

const maskAccount = edit(
  "bank_account",
  edit("account_number", (it: string) => `****${it.slice(-4)}`),
);

const sequentialObjectIds: Change = remembering(() => {
  let last = 0x65a1;
  return () => ({
    newId: () => {
      last += 1;
      return `65f0c2aa9b1de3${last.toString(16).padStart(10, "0")}`;
    },
  });
});

export const storage: BlindClass = {
  faults: [
    at.counterparty.fault(
      "external-id-cut-at-20",
      "CPTY-06",
      "The column of external_id holds twenty characters.",
      at.counterparty.shows(edit("external_id", (it: string) => it.slice(0, 20))),
    ),
    at.counterparty.fault(
      "nul-character-500",
      "HTTP-04",
      "The database cannot store the character U+0000: a 500.",
      crashes(holds(/\\u0000/), "createCounterparty"),
    ),
    at.acam.fault(
      "four-byte-character-500",
      "HTTP-04",
      "A merchant with a character of four bytes gets a 500.",
      crashes(
        (call) => /[\u{10000}-\u{10ffff}]/u.test(String(membersOf(call)["merchant"])),
        "addAcamItem",
      ),
    ),
    at.counterparty.fault(
      "exact-duplicate-500",
      "HTTP-04",
      "The same counterparty again breaks a unique index: a 500.",
      repeated(registered, bodyText, () => crash),
    ),
    at.counterparty.fault(
      "exact-duplicate-with-null",
      ["CPTY-05", "CPTY-02"],
      "The same counterparty again is read from its row, where a bank that is missing is null.",
      repeated(registered, bodyText, (answer) => ({
        ...answer,
        body: { intermediary_bank: null, ...(answer.body as Json) },
      })),
    ),
    at.counterparty.fault(
      "same-external-id-500",
      "HTTP-04",
      "An external id that was used before gets a 500.",
      repeated(
        (answer, call) => registered(answer, call) && sent(call)["external_id"] !== undefined,
        (call) => sent(call)["external_id"],
        () => crash,
      ),
    ),
    at.counterparty.fault(
      "merged-by-name",
      ["CPTY-10", "CPTY-11"],
      "Counterparties of one name share an id, whatever their accounts are.",
      mergedBy((body) => String(body["name"])),
    ),
    at.counterparty.fault(
      "merged-without-iban",
      ["CPTY-10", "CPTY-11"],
      "Accounts are compared by IBAN, and those without one count as the same.",
      mergedBy(ibanOf),
    ),
    at.list.fault(
      "second-batch-of-pair-not-stored",
      "BATCH-24",
      "A second batch of a pair gets an id and is never stored.",
      listing(isFirstOfPair),
    ),
    at.list.fault(
      "operations-as-text",
      ["BATCH-23", "BATCH-25"],
      "The operations of a listed batch are a text of JSON.",
      listedBatch(edit("operations", (it) => JSON.stringify(it))),
    ),
    at.counterparty.fault(
      "counterparty-number-id",
      ["CPTY-01", "CPTY-02"],
      "The id is a number that counts up.",
      all(counting("counterparty"), at.counterparty.shows(edit("id", Number))),
    ),
    at.list.fault(
      "list-number-id",
      ["BATCH-25", "BATCH-24", "BATCH-27", "BATCH-35"],
      "Ids of batches are texts when created and numbers in the list.",
      all(counting("batch"), listedBatch(edit("id", Number))),
    ),
    at.operation.fault(
      "country-column-lost",
      "OPER-11",
      "The bank account of an operation has no country.",
      at.operation.shows(edit("bank_account", omit("bank_country"))),
    ),
  ],
  variants: [
    legal("object-ids", "Ids are 24 hexadecimal digits that count up.", sequentialObjectIds),
    legal("duplicates-merged", "The same counterparty again is the first one.", duplicatesMerged),
    legal(
      "duplicates-409",
      "The same counterparty again gets a 409.",
      repeated(registered, bodyText, () => ({
        status: 409,
        headers: {},
        body: { message: "This counterparty exists" },
      })),
    ),
    legal("lag-1500", "What was created is known after a second and a half.", lagging),
    legal(
      "masked-accounts",
      "Account numbers are masked but for four characters.",
      all(
        success("createCounterparty", maskAccount),
        success("createOperation", maskAccount),
        batchOperation(maskAccount),
      ),
    ),
  ],
};
