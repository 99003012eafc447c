import { around, sent } from "../change.ts";
import type { Call } from "../policy.ts";
import { afterwards, bodyOf, crashed, crashing, header, isEmpty, isMalformed, membersOf } from "./crash.ts";
import type { Fault } from "./fault.ts";
import { refusals } from "./refusals.ts";
import type { Counterparty } from "../store.ts";
import { rowsOf } from "./row.ts";

const amountOf = (call: Call): unknown => membersOf(call)["currency_amount"];
const isAmount = (call: Call, odd: (amount: number) => boolean): boolean => {
  const amount = amountOf(call);
  return typeof amount === "number" && odd(amount);
};

const counterpartyOf = (call: Call): Counterparty | undefined =>
  call.store.counterparties.get(String(membersOf(call)["counterparty_id"]));

const isShort = (pair: unknown): boolean => typeof pair === "string" && pair.length < 6;

const operation = rowsOf("createOperation", "crash-operation");

/** Faults of POST /corporate/operation that answer with 5xx where a request is odd, wrong, or simply of one kind. */
export const operationCrashFaults: readonly Fault[] = [
  operation(
    "zero",
    "HTTP-04",
    "An amount of zero crashes the creation.",
    crashing("createOperation", (call) => amountOf(call) === 0),
    { also: ["OPER-40"] },
  ),
  operation(
    "negative",
    "HTTP-04",
    "A negative amount crashes the creation.",
    crashing("createOperation", (call) => isAmount(call, (amount) => amount < 0)),
    { also: ["OPER-41"] },
  ),
  operation(
    "unknown-counterparty-of-own-shape",
    "HTTP-04",
    "A counterparty that does not exist, with an id that looks right, crashes the creation.",
    crashing("createOperation", (call) => {
      const id = String(membersOf(call)["counterparty_id"]);
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) && !call.store.counterparties.has(id);
    }),
    { also: ["OPER-44"] },
  ),
  operation(
    "beyond-doubles",
    "HTTP-04",
    "A number that no double holds crashes the creation.",
    crashing("createOperation", (call) => amountOf(call) === Infinity),
  ),
  operation(
    "byte-order-mark",
    "HTTP-04",
    "A byte order mark crashes the creation.",
    crashing("createOperation", (call) => call.bytes.toString().startsWith("\u{feff}")),
  ),
  operation(
    "no-external-id",
    "HTTP-04",
    "A counterparty without an external id crashes the creation.",
    crashing("createOperation", (call) => {
      const counterparty = counterpartyOf(call);
      return counterparty !== undefined && counterparty.external_id === undefined;
    }),
  ),
  operation(
    "name-beyond-ascii",
    "HTTP-04",
    "A counterparty whose name has letters beyond ASCII crashes the creation.",
    crashing("createOperation", (call) => /[^\x00-\x7f]/.test(counterpartyOf(call)?.name ?? "")),
  ),
  operation(
    "account-with-letters",
    "HTTP-04",
    "A counterparty whose account number is no number crashes the creation.",
    crashing("createOperation", (call) => /[A-Z]/.test(counterpartyOf(call)?.bank_account?.account_number ?? "")),
  ),
  operation(
    "many-decimals",
    "HTTP-04",
    "An amount of more than four decimals crashes the creation.",
    crashing("createOperation", (call) =>
      isAmount(
        call,
        (amount) => !Number.isInteger(amount * 10_000) && String(amount).length - String(Math.trunc(amount)).length > 5,
      ),
    ),
  ),
  operation(
    "huge",
    "HTTP-04",
    "An amount of 1e15 or more crashes the creation.",
    crashing("createOperation", (call) => isAmount(call, (amount) => amount >= 1e15)),
  ),
  operation(
    "above-950",
    "HTTP-04",
    "Amounts above 950 crash the creation.",
    crashing("createOperation", (call) => isAmount(call, (amount) => amount > 950)),
    { also: refusals.operation },
  ),
  operation(
    "amount-string",
    "HTTP-04",
    "An amount that is a string crashes the creation.",
    crashing("createOperation", (call) => typeof amountOf(call) === "string"),
    { also: ["OPER-28"] },
  ),
  operation(
    "null",
    "HTTP-04",
    "A member of null crashes the creation.",
    crashing("createOperation", (call) => Object.values(membersOf(call)).includes(null)),
    { also: ["OPER-24", "OPER-25", "OPER-26", "OPER-27"] },
  ),
  operation(
    "pair-number",
    "HTTP-04",
    "A pair that is a number crashes the creation.",
    crashing("createOperation", (call) => typeof membersOf(call)["currency_pair"] === "number"),
    { also: ["OPER-30"] },
  ),
  operation(
    "short-pair",
    "HTTP-04",
    "A pair of fewer than six characters crashes the creation.",
    crashing("createOperation", (call) => isShort(membersOf(call)["currency_pair"])),
    { also: ["OPER-42"] },
  ),
  operation(
    "unknown-pair",
    "HTTP-04",
    "A pair that the server has no rate for crashes the creation.",
    around(async (call, next) => {
      const answer = await next(call);
      const shaped = /^[A-Z]{6}$/.test(String(sent(call)["currency_pair"]));
      return call.operation === "createOperation" && answer.refusal === "pair" && shaped ? crashed : answer;
    }),
    { also: ["OPER-43"] },
  ),
  operation(
    "unknown-counterparty",
    "HTTP-04",
    "A counterparty that does not exist crashes the creation.",
    around(async (call, next) => {
      const answer = await next(call);
      return answer.refusal === "counterparty" ? crashed : answer;
    }),
    { also: ["OPER-44"] },
  ),
  operation(
    "list",
    "HTTP-04",
    "A body that is a list crashes the creation.",
    crashing("createOperation", (call) => Array.isArray(bodyOf(call))),
    { also: ["OPER-32"] },
  ),
  operation(
    "null-body",
    "HTTP-04",
    "A body of null crashes the creation.",
    crashing("createOperation", (call) => bodyOf(call) === null),
    { also: ["OPER-32"] },
  ),
  operation(
    "object-empty",
    "HTTP-04",
    "An object without members crashes the creation.",
    crashing("createOperation", (call) => bodyOf(call) !== undefined && call.bytes.toString() === "{}"),
    { also: ["OPER-20"] },
  ),
  operation("empty-body", "HTTP-04", "An empty body crashes the creation.", crashing("createOperation", isEmpty), {
    also: ["OPER-33"],
  }),
  operation("malformed", "HTTP-04", "Malformed JSON crashes the creation.", crashing("createOperation", isMalformed), {
    also: ["OPER-34"],
  }),
  operation(
    "without-token",
    "HTTP-04",
    "A missing token crashes the creation.",
    crashing("createOperation", (call) => header(call) === undefined),
    { also: ["AUTH-20"] },
  ),
  operation(
    "second-of-counterparty",
    "HTTP-04",
    "A second operation of a counterparty crashes.",
    afterwards("createOperation", (call) => sent(call)["counterparty_id"]),
  ),
];
