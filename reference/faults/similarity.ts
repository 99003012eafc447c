import {
  all,
  answers,
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
import type { Json } from "../edits.ts";
import type { Answer, Call, Change } from "../policy.ts";
import type { Operation } from "../store.ts";
import { crashed, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";

const counterparty = rowsOf("createCounterparty", "counterparty-");
const operation = rowsOf("createOperation", "operation-");
const acam = rowsOf("addAcamItem", "acam-");
const list = rowsOf("listBatches", "list-");

/** Gives the id of the first counterparty to all that share a value with it. */
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

/** Crashes at a body that was answered with success before, at the same path. */
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

/** Crashes at a name that is there already but for its letter case, as where a column ignores it and the code does not. */
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

const granted: Answer = {
  status: 200,
  headers: {},
  body: { message: "ACAM item added successfully", status: "success" },
};

/** Takes operations of any purpose, and items for those whose purpose is like EFX. */
const purposesLikeEfx =
  (isLike: (purpose: string) => boolean): Change =>
  (base) => ({
    ...answers(refusalOf("addAcamItem", "purpose"), (answer, call) => {
      const named = base.findOperation(call.parameter, call);
      return named !== undefined && isLike(named.purpose) ? granted : answer;
    })(base),
    purposes: Object.assign(new Set<string>(), { has: () => true }),
  });

/** Takes items for ids that name no operation. */
const takingUnknown = (isTaken: (id: string, call: Call) => boolean): Change =>
  answers(refusalOf("addAcamItem", "operation"), (answer, call) => (isTaken(call.parameter, call) ? granted : answer));

/** Goes by another operation of the same counterparty and amount. */
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

/** Lists batches that were created at the same time with the pair turned round. */
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

/** The list is read, extended and written back: of batches that are created at the same time only the last one stays. */
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

/** Faults that need two similar things, or a look back at what was seen. */
export const similarityFaults: readonly Fault[] = [
  counterparty("of-same-name-merged", "CPTY-10", "Counterparties of one name have one id.").by(
    oneIdFor((call) => sent(call)["name"] ?? call.nth),
  ),
  counterparty("without-external-id-merged", "CPTY-10", "Counterparties without an external id have one id.").by(
    oneIdFor((call) => sent(call)["external_id"] ?? "none"),
  ),
  counterparty("of-like-account-merged", "CPTY-10", "Counterparties whose accounts begin alike have one id.").by(
    oneIdFor((call) => accountOf(call)?.slice(0, -1) ?? call.nth),
  ),
  counterparty("name-in-capitals-crashes", "HTTP-04", "A name that is there in other letters crashes.").by(
    crashingAtOtherCase,
  ),
  counterparty("same-again-crashes", "HTTP-04", "A counterparty that is sent again crashes.").by(
    crashingAtTheSame("createCounterparty"),
  ),
  operation("same-again-crashes", "HTTP-04", "An operation that is sent again crashes.").by(
    crashingAtTheSame("createOperation"),
  ),
  acam("same-again-crashes", "HTTP-04", "An item that is sent again crashes.").by(crashingAtTheSame("addAcamItem")),
  acam("purpose-by-beginning", "ACAM-03", "A purpose that begins with EFX is taken for it.").by(
    purposesLikeEfx((purpose) => purpose.startsWith("EFX")),
  ),
  acam("purpose-by-end", "ACAM-03", "A purpose that ends with EFX is taken for it.").by(
    purposesLikeEfx((purpose) => purpose.endsWith("EFX")),
  ),
  acam("counterparty-for-operation", "ACAM-04", "The id of a counterparty is taken for an operation's.").by(
    takingUnknown((id, call) => call.store.counterparties.has(id)),
  ),
  acam("batch-for-operation", "ACAM-04", "The id of a batch is taken for an operation's.").by(
    takingUnknown((id, call) => call.store.batches.some((batch) => batch.id === id)),
  ),
  acam("id-by-beginning", "ACAM-04", "An id that begins with an operation's is taken for it.").by(
    takingUnknown((id, call) => [...call.store.operations.keys()].some((known) => id.startsWith(known))),
  ),
  acam("first-of-amount", "ACAM-05", "The rule goes by the first operation of the counterparty and amount.", {
    needs,
    also: ["ACAM-03"],
  }).by(byAmount((alike) => alike[0])),
  acam("last-of-amount", "ACAM-05", "The rule goes by the last operation of the counterparty and amount.", {
    needs,
    also: ["ACAM-03"],
  }).by(byAmount((alike) => alike.at(-1))),
  list("created-together-lost", "BATCH-24", "Of batches that were created at the same time one appears.").by(
    lostInList,
  ),
  list(
    "created-together-confused",
    "BATCH-27",
    "Batches that were created at the same time are listed with the pair turned round.",
    {
      needs: { pairs: true },
    },
  ).by(confusedInList),
];
