import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { answers, around, pause, problem, remembering, sent, successOf } from "../change.ts";
import { isJson } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import { isIban } from "../variants/bank-codes.ts";
import type { Counterparty } from "../store.ts";
import { crashed, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { bodyOf, hasNull, hasTyped, isEmpty, isList, isMalformed, lacks, membersOf } from "./raw-body.ts";
import { operationRefusals, refusals } from "./refusals.ts";

type CrashRow = readonly [id: string, what: string, when: (call: Call) => boolean, ...also: RequirementId[]];

/** Rows for requests that get a 500. `also` names the requirements that are broken too because a refusal was due. */
const crashes = (operation: OperationName, prefix: string, rows: readonly CrashRow[]) =>
  rows.map(([id, what, when, ...also]) =>
    rowsOf(operation, prefix)(id, "HTTP-04", `${what} gets a 500.`, also.length > 0 ? { also } : {}).gives(
      crashed,
      when,
    ),
  );

const textOf = (call: Call): string => call.bytes.toString();
const keyOf = (call: Call): unknown => call.headers["x-api-key"];
const authorizationOf = (call: Call): string | undefined => call.headers.authorization;
const amountOf = (call: Call): unknown => membersOf(call)["currency_amount"];
const itemAmountOf = (call: Call): unknown => membersOf(call)["local_currency_amount"];

const hasAmount =
  (odd: (amount: number) => boolean) =>
  (call: Call): boolean => {
    const amount = amountOf(call);
    return typeof amount === "number" && odd(amount);
  };

const hasDecimals = (amount: number): boolean =>
  !Number.isInteger(amount * 10_000) && String(amount).length - String(Math.trunc(amount)).length > 5;

/** True if the counterparty of an operation exists and `odd` holds for it. */
const hasCounterparty =
  (odd: (counterparty: Counterparty) => boolean) =>
  (call: Call): boolean => {
    const counterparty = call.store.counterparties.get(String(membersOf(call)["counterparty_id"]));
    return counterparty !== undefined && odd(counterparty);
  };

const hasWrongIban = (call: Call): boolean => {
  const iban = /"iban":"([A-Z]{2}\d{2}[A-Z0-9]{11,30})"/.exec(textOf(call))?.[1];
  return iban !== undefined && !isIban(iban);
};

const hasUnknownUuid = (call: Call): boolean => {
  const id = String(membersOf(call)["counterparty_id"]);
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) && !call.store.counterparties.has(id);
};

const hasShortPair = (call: Call): boolean => {
  const pair = membersOf(call)["currency_pair"];
  return typeof pair === "string" && pair.length < 6;
};

const hasText =
  (pattern: RegExp) =>
  (call: Call): boolean =>
    pattern.test(JSON.stringify(Object.values(membersOf(call))));

const hasPrototype = (call: Call): boolean => Object.hasOwn(membersOf(call), "__proto__");

const hasMemberTwice = (call: Call): boolean =>
  isJson(bodyOf(call)) && textOf(call).split('"counterparty_id"').length > 2;

const isUndeclared = (call: Call): boolean => !/json/i.test(call.headers["content-type"] ?? "json");

/** Answers 500 to a value that was in a successful request before. */
const crashingAgain = (operation: OperationName, valueOf: (call: Call) => unknown): Change =>
  remembering(() => {
    const seen = new Set<unknown>();
    return answers(successOf(operation), (answer, call) => {
      const known = seen.has(valueOf(call));
      seen.add(valueOf(call));
      return known ? crashed : answer;
    });
  });

const listWhileCreating: Change = remembering(() => {
  let inFlight = 0;
  return around(async (call, next) => {
    if (call.operation === "listBatches" && inFlight > 0) return crashed;
    if (call.operation !== "createBatch") return next(call);
    inFlight += 1;
    try {
      const answer = await next(call);
      await pause(10);
      return answer;
    } finally {
      inFlight -= 1;
    }
  });
});

const operation = rowsOf("createOperation", "crash-operation-");
const acam = rowsOf("addAcamItem", "crash-acam-");
const batch = rowsOf("createBatch", "crash-batch-");
const list = rowsOf("listBatches", "crash-list-");

/** Faults that answer 5xx to requests that are unusual, invalid, or of some other kind. */
export const crashFaults: readonly Fault[] = [
  ...crashes("createToken", "crash-token-", [
    ["without-key", "A missing key", (call) => keyOf(call) === undefined, "AUTH-05"],
    ["empty-key", "An empty key", (call) => keyOf(call) === "", "AUTH-06"],
    ["key-beyond-ascii", "A key with non-ASCII characters", (call) => /[^\x00-\x7f]/.test(String(keyOf(call)))],
    ["key-quote", "A quote in a key", (call) => String(keyOf(call)).includes("'")],
    ["long-key", "A long key", (call) => String(keyOf(call)).length > call.apiKey.length, "AUTH-10", "AUTH-08"],
  ]),

  ...crashes("createCounterparty", "crash-counterparty-", [
    ["non-ascii", "A body with non-ASCII characters", (call) => /[^\x00-\x7f]/.test(textOf(call))],
    ["undeclared", "A Content-Type that is not JSON", isUndeclared],
    [
      "account-with-letters",
      "A letter in an account number",
      (call) => /"account_number":"\d*[A-Z]/.test(textOf(call)),
    ],
    ["quotes", "A quote in a string", hasText(/\\"|'/)],
    ["long-text", "A string of more than 255 characters", hasText(/[^"]{256}/)],
    ["iban-check-digits", "An IBAN with wrong check digits", hasWrongIban],
    ["quote-in-city", "A quote in a city", (call) => /"city":"[^"]*'/.test(textOf(call))],
    ["half-character", "An unpaired surrogate in a string", hasText(/\\ud[89a-f]/i)],
    ["quote-in-path", "A quote in the customer's id", ({ parameter }) => parameter.includes("'")],
    [
      "zero-byte-in-external-id",
      "A NUL character in an external_id",
      (call) => String(membersOf(call)["external_id"]).includes("\0"),
    ],
    ["prototype-member", "A member named __proto__", hasPrototype],
    [
      "emoji-in-bank",
      "An emoji in the name of a bank",
      (call) => /"bank_name":"[^"]*[\u{10000}-\u{10ffff}]/u.test(textOf(call)),
    ],
    [
      "placeholder-in-city",
      "The format placeholder %s in a city",
      (call) => /"city":"([^"\\]|\\.)*%s/.test(textOf(call)),
    ],
    ["blank-name", "A name of spaces only", (call) => /^\s+$/.test(String(membersOf(call)["name"]))],
    ["short-bic", "A BIC of fewer than eight characters", (call) => /"swift_code":"[^"]{1,7}"/.test(textOf(call))],
    [
      "long-routing-number",
      "A routing number of more than nine digits",
      (call) => /"aba_routing_number":"\d{10}/.test(textOf(call)),
    ],
    ["without-name", "A missing name", lacks("name")],
    ["without-account", "A missing bank_account", lacks("bank_account")],
    ["without-address", "A missing counterparty_address", lacks("counterparty_address")],
    ["account-null", "A bank_account of null", hasNull("bank_account")],
    ["account-text", "A bank_account that is a string", hasTyped("bank_account", "string")],
    ["name-number", "A name that is a number", hasTyped("name", "number")],
    ["list", "A body that is an array", isList],
    ["malformed", "Malformed JSON", isMalformed],
    ["unknown-customer", "A customer that does not exist", (call) => call.parameter !== call.customerId],
  ]),

  ...crashes("addAcamItem", "crash-acam-", [
    ["beyond-doubles", "A number beyond the range of a double", (call) => itemAmountOf(call) === Infinity],
    ["huge", "An amount of more than eighteen digits", (call) => Number(itemAmountOf(call)) >= 1e18],
    ["many-decimals", "An amount of more than six decimals", (call) => /\.\d{7}/.test(String(itemAmountOf(call)))],
    [
      "long-id",
      "An unknown operation with an id of more than 64 characters",
      ({ parameter, store }) => parameter.length > 64 && !store.operations.has(parameter),
      "ACAM-04",
    ],
    ["quote-in-path", "A quote in the operation's id", ({ parameter }) => parameter.includes("'"), "ACAM-04"],
    [
      "tax-id-punctuation",
      "A tax_id with punctuation",
      (call) => /^[\d./-]*\d[./-]\d[\d./-]*$/.test(String(membersOf(call)["tax_id"])),
    ],
    ["undeclared", "A Content-Type that is not JSON", isUndeclared],
    ["apostrophe", "An apostrophe in a string", hasText(/'/)],
    [
      "zero-byte-behind-tax-id",
      "A NUL character at the end of a tax_id",
      (call) => /^\d+[^\d]*\0/.test(String(membersOf(call)["tax_id"])),
    ],
    ["without-merchant", "A missing merchant", lacks("merchant")],
    ["amount-string", "An amount that is a string", hasTyped("local_currency_amount", "string")],
    ["tax-id-null", "A tax_id of null", hasNull("tax_id")],
    ["zero", "An amount of zero", (call) => itemAmountOf(call) === 0],
    ["malformed", "Malformed JSON", isMalformed],
    ["empty-body", "An empty body", isEmpty],
  ]),
  acam("unknown-operation", "HTTP-04", "An operation that does not exist gets a 500.", {
    also: ["ACAM-04"],
  }).refuses(() => crashed, "operation"),
  acam("purpose", "HTTP-04", "An operation with another purpose than EFX gets a 500.", {
    needs: { otherPurposes: true },
    also: ["ACAM-03", "ACAM-05"],
  }).refuses(() => crashed, "purpose"),

  ...crashes("createBatch", "crash-batch-", [
    ["half", "A body that is cut off", (call) => isMalformed(call) && !textOf(call).trimEnd().endsWith("}")],
    ["undeclared", "A Content-Type that is not JSON", isUndeclared],
    ["without-pair", "A missing pair", lacks("currency_pair")],
    ["pair-null", "A pair of null", hasNull("currency_pair")],
    ["pair-number", "A pair that is a number", hasTyped("currency_pair", "number")],
    ["list", "A body that is an array", isList],
  ]),
  batch("malformed", "HTTP-04", "Malformed JSON gets a 503.").gives(problem(503, "Unavailable"), isMalformed),
  batch("second-of-pair", "HTTP-04", "A second batch for a pair gets a 500.").by(
    crashingAgain("createBatch", (call) => sent(call)["currency_pair"]),
  ),

  ...crashes("listBatches", "crash-list-", [
    ["page-no-number", "A page that is not a number", ({ query }) => Number.isNaN(Number(query.get("page") ?? 1))],
    ["beyond-64-bits", "A number beyond 64 bits", ({ query }) => /^\d{20,}$/.test(query.get("limit") ?? "")],
    ["long-token", "A token of more than 4096 characters", (call) => String(authorizationOf(call)).length > 4096],
    ["token-quote", "A quote in a token", (call) => String(authorizationOf(call)).includes("'")],
    ["accept-any", "An Accept header of */*", ({ headers }) => headers.accept === "*/*"],
    ["page-size-zero", "A page_size of 0", ({ query }) => query.get("page_size") === "0"],
    ["date", "A date that does not exist", ({ query }) => query.get("from") === "2026-02-30"],
    ["quote-in-pair", "A quote in a pair", ({ query }) => query.get("currency_pair")?.includes("'") === true],
    ["limit-twice", "A duplicate limit", ({ query }) => query.getAll("limit").length > 1],
    ["limit-negative", "A limit below zero", ({ query }) => Number(query.get("limit")) < 0],
    [
      "other-scheme",
      "Another scheme in Authorization",
      (call) => /^(?!bearer \S)/i.test(authorizationOf(call) ?? "Bearer x"),
      "AUTH-39",
    ],
  ]),
  list("while-created", "HTTP-04", "GET /batches returns 500 while a batch is being created.").by(listWhileCreating),
  list("empty", "HTTP-04", "GET /batches returns 500 if there are no batches.").by(
    answers(
      ({ body }, call) => call.operation === "listBatches" && isJson(body) && body["total"] === 0,
      () => crashed,
    ),
  ),
  list("made-up-token", "HTTP-04", "A token that was never issued gets a 502.", {
    also: ["AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40", "AUTH-41"],
  }).refuses((answer, call) => (authorizationOf(call) === undefined ? answer : problem(502, "Bad gateway")), "token"),

  ...crashes("createOperation", "crash-operation-", [
    ["zero", "An amount of zero", (call) => amountOf(call) === 0, "OPER-40"],
    ["prototype-member", "A member named __proto__", hasPrototype],
    ["member-twice", "A duplicate member", hasMemberTwice],
    ["deep-nesting", "An array nested a thousand levels deep", (call) => /\[{1000}/.test(textOf(call))],
    ["one-currency", "A pair of the same currency twice", (call) => /"USDUSD"/.test(textOf(call))],
    ["without-content-type", "A missing Content-Type", (call) => call.headers["content-type"] === undefined],
    ["beyond-64-bits", "An integer beyond 64 bits", hasAmount((amount) => amount > 2 ** 64 && amount < 1e21)],
    ["charset", "A charset in the media type", (call) => /charset/.test(call.headers["content-type"] ?? "")],
    [
      "multipart",
      "A multipart form without a boundary",
      (call) => call.headers["content-type"] === "multipart/form-data",
    ],
    [
      "quote-in-counterparty",
      "A quote in the counterparty's id",
      (call) => String(membersOf(call)["counterparty_id"]).includes("'"),
    ],
    ["negative", "A negative amount", hasAmount((amount) => amount < 0), "OPER-41"],
    ["unknown-counterparty-of-own-shape", "A UUID of no counterparty", hasUnknownUuid, "OPER-44"],
    ["beyond-doubles", "A number beyond the range of a double", (call) => amountOf(call) === Infinity],
    ["byte-order-mark", "A byte order mark", (call) => textOf(call).startsWith("\u{feff}")],
    ["no-external-id", "A counterparty without an external_id", hasCounterparty((it) => it.external_id === undefined)],
    [
      "name-beyond-ascii",
      "A counterparty with a non-ASCII name",
      hasCounterparty((it) => /[^\x00-\x7f]/.test(it.name ?? "")),
    ],
    [
      "account-with-letters",
      "A counterparty with a letter in its account number",
      hasCounterparty((it) => /[A-Z]/.test(it.bank_account?.account_number ?? "")),
    ],
    ["many-decimals", "An amount of more than four decimals", hasAmount(hasDecimals)],
    ["huge", "An amount of 1e15 or more", hasAmount((amount) => amount >= 1e15)],
    ["above-950", "An amount above 950", hasAmount((amount) => amount > 950), ...refusals.operation],
    ["amount-string", "An amount that is a string", hasTyped("currency_amount", "string"), "OPER-28"],
    ["null", "A null member", (call) => Object.values(membersOf(call)).includes(null), ...operationRefusals.nulls],
    ["pair-number", "A pair that is a number", hasTyped("currency_pair", "number"), "OPER-30"],
    ["short-pair", "A pair of fewer than six characters", hasShortPair, "OPER-42"],
    ["list", "A body that is an array", isList, "OPER-32"],
    ["null-body", "A null body", (call) => bodyOf(call) === null, "OPER-32"],
    ["object-empty", "An empty object", (call) => textOf(call) === "{}", "OPER-20"],
    ["empty-body", "An empty body", isEmpty, "OPER-33"],
    ["malformed", "Malformed JSON", isMalformed, "OPER-34"],
    ["without-token", "A missing token", (call) => authorizationOf(call) === undefined, "AUTH-20"],
  ]),
  operation("unknown-pair", "HTTP-04", "An unknown pair gets a 500.", {
    also: ["OPER-43"],
  }).refuses((answer, call) => (/^[A-Z]{6}$/.test(String(sent(call)["currency_pair"])) ? crashed : answer), "pair"),
  operation("unknown-counterparty", "HTTP-04", "A counterparty that does not exist gets a 500.", {
    also: ["OPER-44"],
  }).refuses(() => crashed, "counterparty"),
  operation("second-of-counterparty", "HTTP-04", "A second operation of a counterparty gets a 500.").by(
    crashingAgain("createOperation", (call) => sent(call)["counterparty_id"]),
  ),
];
