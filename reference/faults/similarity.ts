import {
  all,
  answers,
  anyPurpose,
  around,
  listedBatch,
  newIds,
  pause,
  refusalOf,
  remembering,
  sent,
  succeeded,
  success,
  successOf,
} from "../change.ts";
import { isJson } from "../edits.ts";
import { itemAdded } from "../endpoints.ts";
import type { Json } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import type { Operation } from "../store.ts";
import { crashed, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";

const counterparty = rowsOf("createCounterparty", "counterparty-");
const operation = rowsOf("createOperation", "operation-");
const acam = rowsOf("addAcamItem", "acam-");
const list = rowsOf("listBatches", "list-");

/** Gives counterparties with the same value the same id. */
const oneIdFor = (valueOf: (call: Call) => unknown): Change =>
  remembering(() => {
    const ids = new Map<unknown, string>();
    return newIds("counterparty", async (call, next) => {
      const value = valueOf(call);
      const id = ids.get(value) ?? (await next());
      ids.set(value, id);
      return id;
    });
  });

/** Answers 500 to a body that was in a successful request to the same path before. */
const crashingAtTheSame = (name: "createCounterparty" | "createOperation" | "addAcamItem"): Change =>
  remembering(() => {
    const seen = new Set<string>();
    return answers(successOf(name), (answer, call) => {
      const body = `${call.path} ${call.bytes.toString()}`;
      if (seen.has(body)) return crashed;
      seen.add(body);
      return answer;
    });
  });

/** Answers 500 to a name that differs from an earlier one only in letter case, as a case-insensitive unique index does. */
const crashingAtOtherCase: Change = remembering(() => {
  const names = new Map<string, string>();
  return answers(successOf("createCounterparty"), (answer, call) => {
    const name = String(sent(call)["name"]);
    const known = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), known);
    return known === name ? answer : crashed;
  });
});

const accountOf = (call: Call): string | undefined => {
  const account = sent(call)["bank_account"];
  const number = isJson(account) ? account["account_number"] : undefined;
  return typeof number === "string" ? number : undefined;
};

/** Accepts operations of any purpose, and items if `isLike` holds for the purpose. */
const purposesLikeEfx =
  (isLike: (purpose: string) => boolean): Change =>
  (base) => ({
    ...answers(refusalOf("addAcamItem", "purpose"), (answer, call) => {
      const named = base.findOperation(call.parameter, call);
      return named !== undefined && isLike(named.purpose) ? itemAdded : answer;
    })(base),
    purposes: anyPurpose,
  });

/** Accepts items for some ids that belong to no operation. */
const takingUnknown = (isTaken: (id: string, call: Call) => boolean): Change =>
  answers(refusalOf("addAcamItem", "operation"), (answer, call) =>
    isTaken(call.parameter, call) ? itemAdded : answer,
  );

/** Checks the purpose of another operation with the same counterparty and amount. */
const byAmount =
  (choose: (alike: readonly Operation[]) => Operation | undefined): Change =>
  (base) => ({
    findOperation: (id, call) => {
      const named = base.findOperation(id, call);
      if (call.operation !== "addAcamItem" || named === undefined) return named;
      const isAlike = ({ amount, counterparty: of }: Operation): boolean =>
        amount === named.amount && of.id === named.counterparty.id;
      return choose([...call.store.operations.values()].filter(isAlike));
    },
  });

/** Lists batches that were created at the same time with the currencies of their pair swapped. */
const confusedInList: Change = remembering(() => {
  let inFlight = 0;
  const confused = new Set<unknown>();
  return all(
    around(async (call, next) => {
      if (call.operation !== "createBatch") return next(call);
      inFlight += 1;
      await pause(10);
      const together = inFlight > 1;
      const answer = await next(call);
      inFlight -= 1;
      if (together) confused.add((answer.body as { readonly id?: unknown } | undefined)?.id);
      return answer;
    }),
    listedBatch((batch) => {
      const pair = batch["currency_pair"];
      if (!confused.has(batch["id"]) || typeof pair !== "string") return batch;
      return { ...batch, currency_pair: pair.slice(3) + pair.slice(0, 3) };
    }),
  );
});

/** Reads the list, extends it and writes it back: of batches created at the same time, only the last one stays. */
const lostInList: Change = remembering(() => {
  let kept: readonly unknown[] = [];
  return all(
    around(async (call, next) => {
      if (call.operation !== "createBatch") return next(call);
      const before = kept;
      await pause(10);
      const answer = await next(call);
      if (succeeded(answer)) kept = [...before, (answer.body as Json)["id"]];
      return answer;
    }),
    success("listBatches", (body) => {
      const batches = (body["batches"] as readonly Json[]).filter(({ id }) => kept.includes(id));
      return { ...body, batches, count: batches.length, total: batches.length };
    }),
  );
});

const needs = { otherPurposes: true } as const;

/** Faults that show only with two similar requests, or with ids of earlier ones. */
export const similarityFaults: readonly Fault[] = [
  counterparty("of-same-name-merged", "CPTY-10", "Counterparties with the same name have the same id.").by(
    oneIdFor((call) => sent(call)["name"] ?? call.nth),
  ),
  counterparty("without-external-id-merged", "CPTY-10", "Counterparties without an external_id have the same id.").by(
    oneIdFor((call) => sent(call)["external_id"] ?? "none"),
  ),
  counterparty(
    "of-like-account-merged",
    "CPTY-10",
    "Counterparties whose account numbers differ only in the last character have the same id.",
  ).by(oneIdFor((call) => accountOf(call)?.slice(0, -1) ?? call.nth)),
  counterparty(
    "name-in-capitals-crashes",
    "HTTP-04",
    "A name that differs from an earlier one only in letter case gets a 500.",
  ).by(crashingAtOtherCase),
  counterparty("same-again-crashes", "HTTP-04", "The same counterparty sent twice gets a 500.").by(
    crashingAtTheSame("createCounterparty"),
  ),
  operation("same-again-crashes", "HTTP-04", "The same operation sent twice gets a 500.").by(
    crashingAtTheSame("createOperation"),
  ),
  acam("same-again-crashes", "HTTP-04", "The same item sent twice gets a 500.").by(crashingAtTheSame("addAcamItem")),
  acam("purpose-by-beginning", "ACAM-03", "A purpose that begins with EFX counts as EFX.").by(
    purposesLikeEfx((purpose) => purpose.startsWith("EFX")),
  ),
  acam("purpose-by-end", "ACAM-03", "A purpose that ends with EFX counts as EFX.").by(
    purposesLikeEfx((purpose) => purpose.endsWith("EFX")),
  ),
  acam("counterparty-for-operation", "ACAM-04", "The id of a counterparty is accepted as that of an operation.").by(
    takingUnknown((id, call) => call.store.counterparties.has(id)),
  ),
  acam("batch-for-operation", "ACAM-04", "The id of a batch is accepted as that of an operation.").by(
    takingUnknown((id, call) => call.store.batches.some((batch) => batch.id === id)),
  ),
  acam("id-by-beginning", "ACAM-04", "The id of an operation with more characters at its end is accepted.").by(
    takingUnknown((id, call) => [...call.store.operations.keys()].some((known) => id.startsWith(known))),
  ),
  acam("first-of-amount", "ACAM-05", "The purpose is that of the counterparty's first operation with this amount.", {
    needs,
    also: ["ACAM-03"],
  }).by(byAmount((alike) => alike[0])),
  acam("last-of-amount", "ACAM-05", "The purpose is that of the counterparty's last operation with this amount.", {
    needs,
    also: ["ACAM-03"],
  }).by(byAmount((alike) => alike.at(-1))),
  list("created-together-lost", "BATCH-24", "Of batches created at the same time, only the last one is listed.").by(
    lostInList,
  ),
  list(
    "created-together-confused",
    "BATCH-27",
    "Batches created at the same time are listed with the currencies of the pair swapped.",
    {
      needs: { pairs: true },
    },
  ).by(confusedInList),
];
