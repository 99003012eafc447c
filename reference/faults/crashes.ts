import { around, isJson, problem, sent } from "../change.ts";
import type { Call } from "../policy.ts";
import { afterwards, bodyOf, crashed, crashing, header, isEmpty, isMalformed, membersOf } from "./crash.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";

const hasText = (call: Call, pattern: RegExp): boolean => pattern.test(JSON.stringify(Object.values(membersOf(call))));

const isUndeclared = (call: Call): boolean => !/json/i.test(call.headers["content-type"] ?? "json");

const token = rowsOf("createToken", "crash-token");
const counterparty = rowsOf("createCounterparty", "crash-counterparty");
const acam = rowsOf("addAcamItem", "crash-acam");
const batch = rowsOf("createBatch", "crash-batch");
const list = rowsOf("listBatches", "crash-list");

/** Faults that answer with 5xx where a request is odd, wrong, or simply of one kind; operations have their own. */
export const crashFaults: readonly Fault[] = [
  token(
    "without-key",
    "HTTP-04",
    "A missing key crashes the endpoint.",
    crashing("createToken", (call) => call.headers["x-api-key"] === undefined),
    { also: ["AUTH-05"] },
  ),
  token(
    "empty-key",
    "HTTP-04",
    "An empty key crashes the endpoint.",
    crashing("createToken", (call) => call.headers["x-api-key"] === ""),
    { also: ["AUTH-06"] },
  ),
  token(
    "long-key",
    "HTTP-04",
    "A key that is too long crashes the endpoint.",
    crashing("createToken", (call) => String(call.headers["x-api-key"]).length > call.apiKey.length),
    { also: ["AUTH-10", "AUTH-08"] },
  ),

  counterparty(
    "non-ascii",
    "HTTP-04",
    "Text beyond ASCII crashes the registration.",
    crashing("createCounterparty", (call) => /[^\x00-\x7f]/.test(call.bytes.toString())),
  ),
  counterparty(
    "undeclared",
    "HTTP-04",
    "A body that is not declared as JSON crashes the registration.",
    crashing("createCounterparty", isUndeclared),
  ),
  batch(
    "half",
    "HTTP-04",
    "A body that ends in the middle crashes the batch.",
    crashing("createBatch", (call) => isMalformed(call) && !call.bytes.toString().trimEnd().endsWith("}")),
  ),
  acam(
    "beyond-doubles",
    "HTTP-04",
    "A number that no double holds crashes the endpoint.",
    crashing("addAcamItem", (call) => membersOf(call)["local_currency_amount"] === Infinity),
  ),
  acam(
    "huge",
    "HTTP-04",
    "An amount of more than eighteen digits crashes the endpoint.",
    crashing("addAcamItem", (call) => Number(membersOf(call)["local_currency_amount"]) >= 1e18),
  ),
  acam(
    "many-decimals",
    "HTTP-04",
    "An amount of more than six decimals crashes the endpoint.",
    crashing("addAcamItem", (call) => /\.\d{7}/.test(String(membersOf(call)["local_currency_amount"]))),
  ),
  counterparty(
    "account-with-letters",
    "HTTP-04",
    "An account number that is no number crashes the registration.",
    crashing("createCounterparty", (call) => /"account_number":"[0-9]*[A-Z]/.test(call.bytes.toString())),
  ),
  list(
    "page-no-number",
    "HTTP-04",
    "A page that is no number crashes the list.",
    crashing("listBatches", (call) => Number.isNaN(Number(call.query.get("page") ?? 1))),
  ),
  list(
    "limit-negative",
    "HTTP-04",
    "A limit below zero crashes the list.",
    crashing("listBatches", (call) => Number(call.query.get("limit")) < 0),
  ),
  acam(
    "long-id",
    "HTTP-04",
    "The id of an operation that is too long for its column crashes the endpoint.",
    crashing(
      "addAcamItem",
      (call) => (call.parameter ?? "").length > 64 && !call.store.operations.has(call.parameter ?? ""),
    ),
    { also: ["ACAM-04"] },
  ),
  acam(
    "undeclared",
    "HTTP-04",
    "A body that is not declared as JSON crashes the item.",
    crashing("addAcamItem", isUndeclared),
  ),
  batch(
    "undeclared",
    "HTTP-04",
    "A body that is not declared as JSON crashes the batch.",
    crashing("createBatch", isUndeclared),
  ),
  acam(
    "apostrophe",
    "HTTP-04",
    "An apostrophe in a text crashes the item.",
    crashing("addAcamItem", (call) => hasText(call, /'/)),
  ),
  list("while-created", "HTTP-04", "The list crashes while a batch is being created.", (base) => {
    let inFlight = 0;
    return around(async (call, next) => {
      if (call.operation === "listBatches" && inFlight > 0) return crashed;
      if (call.operation !== "createBatch") return next(call);
      inFlight += 1;
      try {
        const answer = await next(call);
        await new Promise((resolve) => setTimeout(resolve, 10).unref());
        return answer;
      } finally {
        inFlight -= 1;
      }
    })(base);
  }),
  counterparty(
    "quotes",
    "HTTP-04",
    "Quotes in a text crash the registration.",
    crashing("createCounterparty", (call) => hasText(call, /\\"|'/)),
  ),
  counterparty(
    "long-text",
    "HTTP-04",
    "A text of more than 255 characters crashes the registration.",
    crashing("createCounterparty", (call) => hasText(call, /[^"]{256}/)),
  ),
  counterparty(
    "without-name",
    "HTTP-04",
    "A missing name crashes the registration.",
    crashing("createCounterparty", (call) => isJson(bodyOf(call)) && !("name" in membersOf(call))),
  ),
  counterparty(
    "without-account",
    "HTTP-04",
    "A missing account crashes the registration.",
    crashing("createCounterparty", (call) => isJson(bodyOf(call)) && !("bank_account" in membersOf(call))),
  ),
  counterparty(
    "without-address",
    "HTTP-04",
    "A registration without an address crashes.",
    crashing("createCounterparty", (call) => isJson(bodyOf(call)) && !("counterparty_address" in membersOf(call))),
  ),
  counterparty(
    "account-null",
    "HTTP-04",
    "An account of null crashes the registration.",
    crashing("createCounterparty", (call) => membersOf(call)["bank_account"] === null),
  ),
  counterparty(
    "account-text",
    "HTTP-04",
    "An account that is a string crashes the registration.",
    crashing("createCounterparty", (call) => typeof membersOf(call)["bank_account"] === "string"),
  ),
  counterparty(
    "name-number",
    "HTTP-04",
    "A name that is a number crashes the registration.",
    crashing("createCounterparty", (call) => typeof membersOf(call)["name"] === "number"),
  ),
  counterparty(
    "list",
    "HTTP-04",
    "A body that is a list crashes the registration.",
    crashing("createCounterparty", (call) => Array.isArray(bodyOf(call))),
  ),
  counterparty(
    "malformed",
    "HTTP-04",
    "Malformed JSON crashes the registration.",
    crashing("createCounterparty", isMalformed),
  ),
  counterparty(
    "unknown-customer",
    "HTTP-04",
    "A customer that does not exist crashes the registration.",
    crashing("createCounterparty", (call) => call.parameter !== call.customerId),
  ),

  acam(
    "unknown-operation",
    "HTTP-04",
    "An operation that does not exist crashes the endpoint.",
    around(async (call, next) => {
      const answer = await next(call);
      return answer.refusal === "operation" ? crashed : answer;
    }),
    { also: ["ACAM-04"] },
  ),
  acam(
    "purpose",
    "HTTP-04",
    "An operation that is not EFX crashes the endpoint.",
    around(async (call, next) => {
      const answer = await next(call);
      return answer.refusal === "purpose" ? crashed : answer;
    }),
    { needs: { otherPurposes: true }, also: ["ACAM-03", "ACAM-05"] },
  ),
  acam(
    "without-merchant",
    "HTTP-04",
    "A missing merchant crashes the endpoint.",
    crashing("addAcamItem", (call) => isJson(bodyOf(call)) && !("merchant" in membersOf(call))),
  ),
  acam(
    "amount-string",
    "HTTP-04",
    "An amount that is a string crashes the endpoint.",
    crashing("addAcamItem", (call) => typeof membersOf(call)["local_currency_amount"] === "string"),
  ),
  acam(
    "tax-id-null",
    "HTTP-04",
    "A tax_id of null crashes the endpoint.",
    crashing("addAcamItem", (call) => membersOf(call)["tax_id"] === null),
  ),
  acam(
    "zero",
    "HTTP-04",
    "An item of zero crashes the endpoint.",
    crashing("addAcamItem", (call) => membersOf(call)["local_currency_amount"] === 0),
  ),
  acam("malformed", "HTTP-04", "Malformed JSON crashes the endpoint.", crashing("addAcamItem", isMalformed)),
  acam("empty-body", "HTTP-04", "An empty body crashes the endpoint.", crashing("addAcamItem", isEmpty)),

  batch(
    "without-pair",
    "HTTP-04",
    "A missing pair crashes the endpoint.",
    crashing("createBatch", (call) => isJson(bodyOf(call)) && !("currency_pair" in membersOf(call))),
  ),
  batch(
    "pair-null",
    "HTTP-04",
    "A pair of null crashes the endpoint.",
    crashing("createBatch", (call) => membersOf(call)["currency_pair"] === null),
  ),
  batch(
    "pair-number",
    "HTTP-04",
    "A pair that is a number crashes the endpoint.",
    crashing("createBatch", (call) => typeof membersOf(call)["currency_pair"] === "number"),
  ),
  batch(
    "list",
    "HTTP-04",
    "A body that is a list crashes the endpoint.",
    crashing("createBatch", (call) => Array.isArray(bodyOf(call))),
  ),
  batch(
    "malformed",
    "HTTP-04",
    "Malformed JSON crashes the endpoint, with 503.",
    crashing("createBatch", isMalformed, problem(503, "Unavailable")),
  ),
  batch(
    "second-of-pair",
    "HTTP-04",
    "A second batch for a pair crashes.",
    afterwards("createBatch", (call) => sent(call)["currency_pair"]),
  ),

  list(
    "empty",
    "HTTP-04",
    "An empty list crashes.",
    around(async (call, next) => {
      const answer = await next(call);
      const empty = call.operation === "listBatches" && isJson(answer.body) && answer.body["total"] === 0;
      return empty ? crashed : answer;
    }),
  ),
  list(
    "other-scheme",
    "HTTP-04",
    "An Authorization header that is no bearer token crashes the list.",
    crashing("listBatches", (call) => header(call) !== undefined && !/^bearer \S/i.test(header(call) ?? "")),
    { also: ["AUTH-39"] },
  ),
  list(
    "made-up-token",
    "HTTP-04",
    "A token that was never issued is a bad gateway to the list.",
    around(async (call, next) => {
      const answer = await next(call);
      return call.operation === "listBatches" && answer.refusal === "token" && header(call) !== undefined
        ? problem(502, "Bad gateway")
        : answer;
    }),
    { also: ["AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40"] },
  ),
];
