import { changed, pause, sent, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import { banks } from "./banks.ts";
import type { Fault } from "./fault.ts";
import { crossing, repeatingWhenTogether } from "./together.ts";
import { rowsOf } from "./row.ts";
import { times } from "./time.ts";

const row = rowsOf("createOperation", "operation");

const shows = (change: (body: Json, call: Call) => Json): Change => success("createOperation", change);

const account = (change: (account: Json) => unknown): Change =>
  shows((body) => changed(body, "bank_account", (it) => change(it as Json)));

const intermediary = (change: (bank: Json | null) => unknown): Change =>
  shows((body) => ({ ...body, intermediary_bank: change((body["intermediary_bank"] ?? null) as Json | null) }));

const createdAt = (change: (time: string) => unknown): Change =>
  shows((body) => changed(body, "created_at", (time) => change(String(time))));

/** Gives operations ids that are made of these members alone. */
const madeOf =
  (...names: readonly string[]): Change =>
  (base) => {
    const known = new Map<string, string>();
    return {
      newId: async (kind, call) => {
        if (kind !== "operation") return base.newId(kind, call);
        const key = JSON.stringify(names.map((name) => sent(call)[name]));
        const id = known.get(key) ?? (await base.newId(kind, call));
        known.set(key, id);
        return id;
      },
    };
  };

/** Faults of the banks, the time and the id that POST /corporate/operation answers. */
export const operationMemberFaults: readonly Fault[] = [
  row(
    "account-incomplete",
    "OPER-11",
    "The account has no bank_name.",
    account((it) => without(it, "bank_name")),
  ),
  row(
    "account-number",
    "OPER-11",
    "The account number is a number.",
    account((it) => ({ ...it, account_number: 532013000 })),
    { also: ["OPER-10"] },
  ),
  row(
    "account-country-object",
    "OPER-11",
    "The bank's country is an object.",
    account((it) => ({ ...it, bank_country: { code: it["bank_country"] } })),
    { also: ["OPER-10"] },
  ),
  row(
    "account-null",
    "OPER-11",
    "The account is null.",
    account(() => null),
    { also: ["OPER-10"] },
  ),
  row(
    "account-list",
    "OPER-11",
    "The account is a list of one.",
    account((it) => [it]),
    { also: ["OPER-10"] },
  ),
  row(
    "account-iban-null",
    "OPER-11",
    "The IBAN is null where there is none.",
    account((it) => ({ iban: null, ...it })),
    { also: ["OPER-10"] },
  ),
  row(
    "account-routing-number-null",
    "OPER-11",
    "The routing number is null where there is none.",
    account((it) => ({ aba_routing_number: null, ...it })),
    { also: ["OPER-10"] },
  ),
  row(
    "account-swift-missing-without-iban",
    "OPER-11",
    "The BIC is missing where there is no IBAN.",
    account((it) => ("iban" in it ? it : without(it, "swift_code"))),
  ),
  row(
    "account-incomplete-for-others",
    "OPER-11",
    "The account is complete for the first counterparty alone.",
    shows((body, call) =>
      sent(call)["counterparty_id"] === [...call.store.counterparties.keys()][0]
        ? body
        : changed(body, "bank_account", (it) => without(it as Json, "bank_country")),
    ),
  ),

  row(
    "intermediary-empty",
    "OPER-12",
    "Where there is no intermediary bank it is {}.",
    intermediary((bank) => bank ?? {}),
  ),
  row(
    "intermediary-nulls",
    "OPER-12",
    "Where there is no intermediary bank its members are null.",
    intermediary((bank) => bank ?? banks.nulls),
    { also: ["OPER-10"] },
  ),
  row(
    "intermediary-text",
    "OPER-12",
    "Where there is no intermediary bank it is an empty string.",
    intermediary((bank) => bank ?? ""),
    { also: ["OPER-10"] },
  ),
  row(
    "intermediary-incomplete",
    "OPER-12",
    "An intermediary bank has no BIC.",
    intermediary((bank) => bank && without(bank, "swift_code")),
  ),
  row(
    "intermediary-name-only",
    "OPER-12",
    "Of an intermediary bank the name is shown.",
    intermediary((bank) => bank && bank["bank_name"]),
    { also: ["OPER-10"] },
  ),

  row("time-space", "OPER-13", "The time has a space for the T.", createdAt(times.space)),
  row("time-without-zone", "OPER-13", "The time has no zone.", createdAt(times.noZone), { also: ["OPER-14"] }),
  row("time-epoch", "OPER-13", "The time is a number of milliseconds.", createdAt(times.epoch), {
    also: ["OPER-10", "OPER-14"],
  }),
  row("time-epoch-text", "OPER-13", "The time is a number of milliseconds in a string.", createdAt(times.epochText), {
    also: ["OPER-14"],
  }),
  row("time-date-only", "OPER-13", "The time is a date.", createdAt(times.dateOnly), { also: ["OPER-14"] }),
  row("time-http", "OPER-13", "The time is written as in HTTP headers.", createdAt(times.http), { also: ["OPER-14"] }),
  row("time-short-zone", "OPER-13", "The offset has no colon.", createdAt(times.shortZone), { also: ["OPER-14"] }),
  row(
    "time-null",
    "OPER-13",
    "The time is null.",
    createdAt(() => null),
    { also: ["OPER-10", "OPER-14"] },
  ),
  row("time-local", "OPER-14", "The time has the offset of São Paulo.", createdAt(times.local)),

  row(
    "id-same",
    "OPER-15",
    "All operations have one id.",
    (base) => ({
      newId: (kind, call) => (kind === "operation" ? "0d5a" : base.newId(kind, call)),
    }),
    { also: ["OPER-16", "ACAM-03", "ACAM-05"] },
  ),
  row(
    "id-of-counterparty",
    "OPER-15",
    "Operations of one counterparty have one id.",
    (base) => ({
      newId: (kind, call) =>
        kind === "operation" ? `op-${String(sent(call)["counterparty_id"])}` : base.newId(kind, call),
    }),
    { also: ["OPER-16", "ACAM-03", "ACAM-05"] },
  ),
  row(
    "id-without-purpose",
    "OPER-15",
    "The id is made of all that was sent but the purpose.",
    madeOf("counterparty_id", "currency_amount", "currency_pair"),
    { needs: { otherPurposes: true } },
  ),
  row(
    "id-without-pair",
    "OPER-15",
    "The id is made of all that was sent but the pair.",
    madeOf("counterparty_id", "currency_amount", "operation_purpose"),
    { needs: { pairs: true } },
  ),
  row(
    "id-twice",
    "OPER-15",
    "Each id is given twice.",
    (base) => {
      let made = 0;
      let last = "";
      return {
        newId: async (kind, call) => {
          if (kind !== "operation") return base.newId(kind, call);
          if ((made += 1) % 2 === 1) last = await base.newId(kind, call);
          return last;
        },
      };
    },
    { also: ["OPER-16", "ACAM-03", "ACAM-05"] },
  ),

  row(
    "id-same-together",
    "OPER-16",
    "Operations that are created at once share an id.",
    repeatingWhenTogether("operation"),
    { also: ["OPER-15", "ACAM-03", "ACAM-05"] },
  ),
  row(
    "answers-crossed",
    "OPER-16",
    "Operations that are created at once get each other's answers.",
    crossing("createOperation"),
    {
      also: ["OPER-06", "OPER-07", "OPER-08", "OPER-09", "ACAM-03", "ACAM-05"],
    },
  ),
  row(
    "amount-crossed",
    "OPER-16",
    "An operation shows the amount of the one that was asked for last, while it waits.",
    (base) => {
      let latest: unknown;
      return {
        perform: async (call) => {
          if (call.operation !== "createOperation") return base.perform(call);
          latest = sent(call)["currency_amount"];
          const answer = await base.perform(call);
          await pause(15);
          return { ...answer, body: { ...(answer.body as Json), foreign_currency_amount: latest } };
        },
      };
    },
    { also: ["OPER-06"] },
  ),
];
