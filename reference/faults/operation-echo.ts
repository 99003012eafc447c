import { sent, success } from "../change.ts";
import type { Json } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";

const row = rowsOf("createOperation", "operation");

const shows = (change: (body: Json, call: Call) => Json): Change => success("createOperation", change);
const amountOf = (call: Call): number => Number(sent(call)["currency_amount"]);
const pairOf = (call: Call): string => String(sent(call)["currency_pair"]);

/** Shows another amount than the one that was sent. */
const amount = (change: (amount: number) => unknown): Change =>
  shows((body, call) => ({ ...body, foreign_currency_amount: change(amountOf(call)) }));

/** Faults of what an operation repeats of its request. */
export const operationEchoFaults: readonly Fault[] = [
  row("amount-whole", "OPER-06", "The amount is rounded to a whole number.", amount(Math.round)),
  row(
    "amount-one-decimal",
    "OPER-06",
    "The amount is cut to one decimal.",
    amount((value) => Math.trunc(value * 10) / 10),
  ),
  row(
    "amount-four-decimals",
    "OPER-06",
    "An amount is taken with all its decimals and shown with four.",
    amount((value) => Math.round(value * 1e4) / 1e4),
  ),
  row("amount-float32", "OPER-06", "The amount goes through 32 bits.", amount(Math.fround)),
  row(
    "amount-cents",
    "OPER-06",
    "The amount is shown in cents.",
    amount((value) => Math.round(value * 100)),
  ),
  row(
    "amount-converted",
    "OPER-06",
    "The amount of the other currency is shown.",
    amount((value) => value * 5.43),
  ),
  row(
    "amount-zero",
    "OPER-06",
    "The amount is 0 until there is a quote.",
    amount(() => 0),
  ),
  row(
    "amount-fee-above-900",
    "OPER-06",
    "A fee is taken off amounts above 900.",
    amount((value) => (value > 900 ? value - 1 : value)),
  ),
  row(
    "amount-capped",
    "OPER-06",
    "Amounts above 990 are shown as 990.",
    amount((value) => Math.min(value, 990)),
  ),
  row(
    "amount-odd-cents",
    "OPER-06",
    "Odd cents are lost.",
    amount((value) => Math.floor(Math.round(value * 100) / 2) / 50),
  ),
  row(
    "amount-two-decimals",
    "OPER-06",
    "Amounts of more than two decimals are rounded.",
    amount((value) => Math.round(value * 100) / 100),
    { needs: { amountDecimals: 4 } },
  ),
  row("amount-string", "OPER-10", "The amount is a string.", amount(String), { also: ["OPER-06"] }),
  row(
    "amount-null",
    "OPER-10",
    "The amount is null.",
    amount(() => null),
    { also: ["OPER-06"] },
  ),
  row(
    "amount-float32-cents",
    "OPER-06",
    "The amount goes through 32 bits and is rounded to cents, which hides it below some 100,000.",
    amount((value) => Math.round(Math.fround(value) * 100) / 100),
  ),
  row(
    "amount-string-above-20000",
    "OPER-10",
    "Amounts above 20,000 are strings.",
    amount((value) => (value > 20_000 ? value.toFixed(2) : value)),
    { also: ["OPER-06"] },
  ),
  row(
    "amount-string-above-800",
    "OPER-10",
    "Amounts above 800 are strings.",
    amount((value) => (value > 800 ? value.toFixed(2) : value)),
    { also: ["OPER-06"] },
  ),

  row(
    "pair-slash",
    "OPER-07",
    "The pair has a slash in it.",
    shows((body, call) => ({ ...body, currency_pair: `${pairOf(call).slice(0, 3)}/${pairOf(call).slice(3)}` })),
  ),
  row(
    "pair-lower-case",
    "OPER-07",
    "The pair is in small letters.",
    shows((body, call) => ({ ...body, currency_pair: pairOf(call).toLowerCase() })),
  ),
  row(
    "pair-swapped",
    "OPER-07",
    "The pair is the other way round.",
    shows((body, call) => ({ ...body, currency_pair: pairOf(call).slice(3) + pairOf(call).slice(0, 3) })),
  ),
  row(
    "pair-of-first",
    "OPER-07",
    "The pair is always that of the first operation.",
    (base) => {
      let first: string | undefined;
      return shows((body, call) => ({ ...body, currency_pair: (first ??= pairOf(call)) }))(base);
    },
    { needs: { pairs: true }, also: ["OPER-16"] },
  ),
  row(
    "purpose-lower-case",
    "OPER-08",
    "The purpose is in small letters.",
    shows((body, call) => ({ ...body, operation_purpose: String(sent(call)["operation_purpose"]).toLowerCase() })),
  ),
  row(
    "purpose-described",
    "OPER-08",
    "The purpose is described instead of repeated.",
    shows((body) => ({ ...body, operation_purpose: "Electronic foreign exchange" })),
  ),
  row(
    "purpose-always-efx",
    "OPER-08",
    "The purpose is always EFX.",
    shows((body) => ({ ...body, operation_purpose: "EFX" })),
    { needs: { otherPurposes: true } },
  ),
  row(
    "counterparty-upper-case",
    "OPER-09",
    "The counterparty's id is in capitals.",
    shows((body, call) => ({ ...body, counterparty_id: String(sent(call)["counterparty_id"]).toUpperCase() })),
  ),
  row(
    "counterparty-first",
    "OPER-09",
    "The counterparty is always the first that was registered.",
    shows((body, call) => ({ ...body, counterparty_id: [...call.store.counterparties.keys()][0] })),
    { also: ["OPER-16"] },
  ),
  row(
    "counterparty-newest",
    "OPER-09",
    "The counterparty is the last that was registered, not the one that was sent.",
    shows((body, call) => ({ ...body, counterparty_id: [...call.store.counterparties.keys()].at(-1) })),
    { also: ["OPER-16"] },
  ),
  row(
    "counterparty-inlined",
    "OPER-10",
    "The counterparty is an object.",
    shows((body, call) => ({ ...body, counterparty_id: { id: sent(call)["counterparty_id"] } })),
    { also: ["OPER-09"] },
  ),
];
