import { anyPurpose, newIds, pause, remembering, sent, success } from "../change.ts";
import { edit, fill, omit, set } from "../edits.ts";
import type { Edit, Json } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import { crossedAnswers, sharedIds } from "./concurrent-creation.ts";
import { rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { idsTwice, sameId } from "../ids.ts";
import { times } from "./times.ts";

const row = rowsOf("createOperation", "operation-");

/** Shows a member with a value made from the request. */
const making =
  (name: string, valueOf: (call: Call) => unknown): Edit =>
  (body, call) => ({ ...body, [name]: valueOf(call) });

/** Accepts any string as the purpose and shows it changed. */
const keepingPurposes =
  (kept: (purpose: string) => string): Change =>
  (base) => ({
    ...success("createOperation", text("operation_purpose", kept))(base),
    purposes: anyPurpose,
  });

/** Shows another amount than the one sent. */
const amount = (change: (amount: number) => unknown): Edit =>
  making("foreign_currency_amount", (call) => change(Number(sent(call)["currency_amount"])));

/** Shows another pair, purpose or counterparty than the one sent. */
const text = (name: string, change: (text: string) => unknown): Edit =>
  making(name, (call) => change(String(sent(call)[name])));

/** Shows another counterparty; `ids` are those of all counterparties, oldest first. */
const counterparty = (choose: (ids: readonly string[]) => unknown): Edit =>
  making("counterparty_id", (call) => choose([...call.store.counterparties.keys()]));

const account = (change: (account: Json) => unknown) => edit("bank_account", change);

const intermediary =
  (change: (bank: Json | null) => unknown): Edit =>
  (body) => ({ ...body, intermediary_bank: change((body["intermediary_bank"] ?? null) as Json | null) });

const createdAt = (change: (time: string) => unknown) => edit("created_at", change);

/** Gives operations the same id if these members are equal. */
const madeOf = (...names: readonly string[]): Change =>
  remembering(() => {
    const known = new Map<string, string>();
    return newIds("operation", async (call, next) => {
      const key = JSON.stringify(names.map((name) => sent(call)[name]));
      const id = known.get(key) ?? (await next());
      known.set(key, id);
      return id;
    });
  });

const alsoType = { also: ["OPER-10"] } as const;
const alsoZone = { also: ["OPER-14"] } as const;
const alsoTypeAndZone = { also: ["OPER-10", "OPER-14"] } as const;
const alsoAmount = { also: ["OPER-06"] } as const;
const alsoMixed = { also: ["OPER-16"] } as const;
const alsoRule = { also: ["OPER-16", "ACAM-03", "ACAM-05"] } as const;

/** Faults of the members of a request that POST /corporate/operation repeats. */
export const operationEchoFaults: readonly Fault[] = [
  row("amount-whole", "OPER-06", "The amount is rounded to a whole number.").shows(amount(Math.round)),
  row("amount-one-decimal", "OPER-06", "The amount is truncated to one decimal.").shows(
    amount((it) => Math.trunc(it * 10) / 10),
  ),
  row("amount-four-decimals", "OPER-06", "An amount is rounded to four decimals.").shows(
    amount((it) => Math.round(it * 1e4) / 1e4),
  ),
  row("amount-float32", "OPER-06", "The amount is stored as a 32-bit float.").shows(amount(Math.fround)),
  row("amount-cents", "OPER-06", "The amount is shown in cents.").shows(amount((it) => Math.round(it * 100))),
  row("amount-converted", "OPER-06", "The amount is that of the other currency.").shows(amount((it) => it * 5.43)),
  row("amount-zero", "OPER-06", "The amount is 0 until there is a quote.").shows(amount(() => 0)),
  row("amount-fee-above-900", "OPER-06", "A fee is deducted from amounts above 900.").shows(
    amount((it) => (it > 900 ? it - 1 : it)),
  ),
  row("amount-capped", "OPER-06", "Amounts above 990 are shown as 990.").shows(amount((it) => Math.min(it, 990))),
  row("amount-odd-cents", "OPER-06", "Odd cents are rounded down to even ones.").shows(
    amount((it) => Math.floor(Math.round(it * 100) / 2) / 50),
  ),
  row("amount-two-decimals", "OPER-06", "Amounts of more than two decimals are rounded.", {
    needs: { amountDecimals: 4 },
  }).shows(amount((it) => Math.round(it * 100) / 100)),
  row("amount-string", "OPER-10", "The amount is a string.", alsoAmount).shows(amount(String)),
  row("amount-null", "OPER-10", "The amount is null.", alsoAmount).shows(amount(() => null)),
  row("amount-float32-cents", "OPER-06", "The amount is stored as a 32-bit float and rounded to cents.").shows(
    amount((it) => Math.round(Math.fround(it) * 100) / 100),
  ),
  row("amount-string-above-20000", "OPER-10", "Amounts above 20,000 are strings.", alsoAmount).shows(
    amount((it) => (it > 20_000 ? it.toFixed(2) : it)),
  ),
  row("amount-string-above-800", "OPER-10", "Amounts above 800 are strings.", alsoAmount).shows(
    amount((it) => (it > 800 ? it.toFixed(2) : it)),
  ),

  row("pair-slash", "OPER-07", "The pair contains a slash.").shows(
    text("currency_pair", (pair) => `${pair.slice(0, 3)}/${pair.slice(3)}`),
  ),
  row("pair-lower-case", "OPER-07", "The pair is in lower case.").shows(
    text("currency_pair", (pair) => pair.toLowerCase()),
  ),
  row("pair-swapped", "OPER-07", "The pair has its currencies swapped.").shows(
    text("currency_pair", (pair) => pair.slice(3) + pair.slice(0, 3)),
  ),
  row("pair-of-first", "OPER-07", "The pair is always that of the first operation.", {
    needs: { pairs: true },
    also: ["OPER-16"],
  }).by(
    remembering(() => {
      let first: string | undefined;
      return success(
        "createOperation",
        text("currency_pair", (pair) => (first ??= pair)),
      );
    }),
  ),
  row("purpose-lower-case", "OPER-08", "The purpose is in lower case.").shows(
    text("operation_purpose", (purpose) => purpose.toLowerCase()),
  ),
  row("purpose-described", "OPER-08", "The purpose is a description instead of the value sent.").shows(
    set({ operation_purpose: "Electronic foreign exchange" }),
  ),
  row("purpose-always-efx", "OPER-08", "The purpose is always EFX.", { needs: { otherPurposes: true } }).shows(
    set({ operation_purpose: "EFX" }),
  ),
  row("purpose-cut", "OPER-08", "The purpose is cut at ten characters.").by(
    keepingPurposes((purpose) => purpose.slice(0, 10)),
  ),
  row("purpose-trimmed", "OPER-08", "The purpose loses the spaces at its ends.").by(
    keepingPurposes((purpose) => purpose.trim()),
  ),
  row("purpose-escaped", "OPER-08", "Quotes in the purpose are escaped for HTML.").by(
    keepingPurposes((purpose) => purpose.replaceAll("'", "&#39;")),
  ),
  row("counterparty-upper-case", "OPER-09", "The counterparty_id is in upper case.").shows(
    text("counterparty_id", (id) => id.toUpperCase()),
  ),
  row("counterparty-first", "OPER-09", "The counterparty is always the first one.", alsoMixed).shows(
    counterparty(([first]) => first),
  ),
  row("counterparty-newest", "OPER-09", "The counterparty is always the newest one.", alsoMixed).shows(
    counterparty((ids) => ids.at(-1)),
  ),
  row("counterparty-inlined", "OPER-10", "The counterparty_id is an object.", { also: ["OPER-09"] }).shows(
    making("counterparty_id", (call) => ({ id: sent(call)["counterparty_id"] })),
  ),
];

/** Faults of the banks, the time and the id in the response of POST /corporate/operation. */
export const operationMemberFaults: readonly Fault[] = [
  row("account-incomplete", "OPER-11", "The account has no bank_name.").shows(account(omit("bank_name"))),
  row("account-number", "OPER-11", "The account number is a number.", alsoType).shows(
    account(set({ account_number: 532013000 })),
  ),
  row("account-country-object", "OPER-11", "The bank's country is an object.", alsoType).shows(
    account(edit("bank_country", (code) => ({ code }))),
  ),
  row("account-null", "OPER-11", "The account is null.", alsoType).shows(account(() => null)),
  row("account-list", "OPER-11", "The account is an array of one object.", alsoType).shows(account((it) => [it])),
  row("account-iban-null", "OPER-11", "A missing IBAN is shown as null.", alsoType).shows(
    account(fill({ iban: null })),
  ),
  row("account-routing-number-null", "OPER-11", "A missing routing number is shown as null.", alsoType).shows(
    account(fill({ aba_routing_number: null })),
  ),
  row("account-swift-missing-without-iban", "OPER-11", "The BIC is missing if there is no IBAN.").shows(
    account((it) => ("iban" in it ? it : omit("swift_code")(it))),
  ),
  row("account-incomplete-for-others", "OPER-11", "The account is complete only for the first counterparty.").shows(
    (body, call) =>
      sent(call)["counterparty_id"] === [...call.store.counterparties.keys()][0]
        ? body
        : account(omit("bank_country"))(body),
  ),

  row("intermediary-empty", "OPER-12", "A missing intermediary bank is shown as {}.").shows(
    intermediary((bank) => bank ?? {}),
  ),
  row("intermediary-nulls", "OPER-12", "The members of a missing intermediary bank are shown as null.", alsoType).shows(
    intermediary((bank) => bank ?? { bank_name: null, swift_code: null, bank_country: null }),
  ),
  row("intermediary-text", "OPER-12", "A missing intermediary bank is shown as an empty string.", alsoType).shows(
    intermediary((bank) => bank ?? ""),
  ),
  row("intermediary-incomplete", "OPER-12", "An intermediary bank has no BIC.").shows(
    intermediary((bank) => bank && omit("swift_code")(bank)),
  ),
  row("intermediary-name-only", "OPER-12", "An intermediary bank is shown as its name only.", alsoType).shows(
    intermediary((bank) => bank && bank["bank_name"]),
  ),

  row("time-space", "OPER-13", "The time has a space instead of the T.").shows(createdAt(times.space)),
  row("time-without-zone", "OPER-13", "The time has no zone.", alsoZone).shows(createdAt(times.noZone)),
  row("time-epoch", "OPER-13", "The time is a number of milliseconds.", alsoTypeAndZone).shows(createdAt(times.epoch)),
  row("time-epoch-text", "OPER-13", "The time is a number of milliseconds in a string.", alsoZone).shows(
    createdAt(times.epochText),
  ),
  row("time-date-only", "OPER-13", "The time is a date.", alsoZone).shows(createdAt(times.dateOnly)),
  row("time-http", "OPER-13", "The time is written as in HTTP headers.", alsoZone).shows(createdAt(times.http)),
  row("time-short-zone", "OPER-13", "The offset has no colon.", alsoZone).shows(createdAt(times.shortZone)),
  row("time-null", "OPER-13", "The time is null.", alsoTypeAndZone).shows(createdAt(() => null)),
  row("time-local", "OPER-14", "The time has the offset of São Paulo.").shows(createdAt(times.local)),

  row("id-same", "OPER-15", "All operations have the same id.", alsoRule).by(sameId("operation", "0d5a")),
  row("id-of-counterparty", "OPER-15", "All operations of a counterparty have the same id.", alsoRule).by(
    newIds("operation", (call) => `op-${String(sent(call)["counterparty_id"])}`),
  ),
  row("id-without-purpose", "OPER-15", "Operations that differ only in the purpose have the same id.", {
    needs: { otherPurposes: true },
    // Operations that differ only in their purpose share an id.
    also: ["ACAM-05"],
  }).by(madeOf("counterparty_id", "currency_amount", "currency_pair")),
  row("id-without-pair", "OPER-15", "Operations that differ only in the pair have the same id.", {
    needs: { pairs: true },
  }).by(madeOf("counterparty_id", "currency_amount", "operation_purpose")),
  row("id-twice", "OPER-15", "Each id is used twice.", alsoRule).by(idsTwice("operation")),

  row("id-same-together", "OPER-16", "Concurrent requests get operations with the same id.", {
    also: ["OPER-15", "ACAM-03", "ACAM-05"],
  }).by(sharedIds("operation")),
  row("answers-crossed", "OPER-16", "Concurrent requests get each other's operation.", {
    also: ["OPER-06", "OPER-07", "OPER-08", "OPER-09", "ACAM-03", "ACAM-05"],
  }).by(crossedAnswers("createOperation")),
  row("amount-crossed", "OPER-16", "An operation shows the amount of a concurrent one that came later.", alsoAmount).by(
    (base) => {
      let latest: unknown;
      return {
        perform: async (call) => {
          if (call.operation !== "createOperation") return base.perform(call);
          latest = sent(call)["currency_amount"];
          const answer = await base.perform(call);
          await pause(15);
          return { ...answer, body: set({ foreign_currency_amount: latest })(answer.body as Json) };
        },
      };
    },
  ),
];
