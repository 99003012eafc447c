import { isUtf8 } from "node:buffer";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import {
  answers,
  around,
  instead,
  pause,
  problem,
  remembering,
  repeated,
  sent,
  successOf,
  isJson,
  crowded,
  insteadOfEach,
  success,
  edit,
  omit,
  set,
  type Edit,
} from "../change.ts";
import type { Answer, Call, Change, RefusalReason, Counterparty } from "../policy.ts";
import { isIban } from "../variants/bank-codes.ts";
import {
  at,
  faultsAnywhere,
  faultsAt,
  operationRefusals,
  refusals,
  tokenRefusals,
  withPatience,
  withPurposes,
  type Fault,
  type Broken,
} from "./fault.ts";
import { bodyOf, has, holds, isEmpty, isList, isMalformed, lacks, membersOf, reads, type Sent } from "./raw-body.ts";

const outcomes = {
  "gets a 500": { status: 500, headers: {}, body: { message: "Internal server error" } },
  "drops the connection": { status: 0, headers: {}, fate: "drop" },
  "never gets a response": { status: 0, headers: {}, fate: "hang" },
} as const satisfies Record<string, Answer>;

export const crashed: Answer = outcomes["gets a 500"];

/** `when` selects requests, or refusals by their reason. `also` is broken too, because a refusal was due. */
type Row = readonly [id: string, what: string, when: Sent | RefusalReason, ...also: RequirementId[]];

const slow = { slow: true } as const;

/** A fault of the requests of a row. Those that never get a response make a run slow. */
function failure(
  { fault, refuses, gives }: ReturnType<typeof faultsAt>,
  outcome: keyof typeof outcomes,
  row: Row,
): Fault {
  const [id, what, when, ...also] = row;
  const rule = outcome === "gets a 500" ? "HTTP-04" : "HTTP-05";
  const change = typeof when === "string" ? refuses(when, () => outcomes[outcome]) : gives(outcomes[outcome], when);
  return fault(id, [rule, ...also], `${what} ${outcome}.`, change, {
    ...(outcome === "never gets a response" && slow),
    ...(when === "purpose" && withPurposes),
  });
}

function crashes(endpoint: OperationName, prefix: string, table: readonly Row[]): readonly Fault[] {
  return table.map((row) => failure(faultsAt(endpoint, prefix), "gets a 500", row));
}

function drops(endpoint: OperationName, ...row: Row): Fault {
  return failure(at[endpoint], "drops the connection", row);
}

function hangs(endpoint: OperationName, ...row: Row): Fault {
  return failure(at[endpoint], "never gets a response", row);
}

const query =
  (name: string, pattern: RegExp): Sent =>
  (call) =>
    pattern.test(call.query.get(name) ?? "");

const header =
  (name: string, pattern: RegExp): Sent =>
  (call) =>
    call.headers[name] !== undefined && pattern.test(String(call.headers[name]));
const hasKey = (pattern: RegExp): Sent => header("x-api-key", pattern);
const hasToken = (pattern: RegExp): Sent => header("authorization", pattern);
const hasType = (pattern: RegExp): Sent => header("content-type", pattern);
const isWithout =
  (name: string): Sent =>
  (call) =>
    call.headers[name] === undefined;

const amount = (odd: (amount: number) => boolean): Sent => has("currency_amount", odd);
const itemAmount = (odd: (amount: number) => boolean): Sent => has("local_currency_amount", odd);

/** True if the counterparty of an operation exists and `odd` holds for it. */
const ofPayee =
  (odd: (counterparty: Counterparty) => boolean): Sent =>
  (call) => {
    const payee = call.store.counterparties.get(String(membersOf(call)["counterparty_id"]));
    return payee !== undefined && odd(payee);
  };

const hasPrototype: Sent = (call) => Object.hasOwn(membersOf(call), "__proto__");
const hasQuoteInPath: Sent = ({ parameter }) => parameter.includes("'");
const isCoded: Sent = ({ headers }) => headers["content-encoding"] !== undefined;
const isUndeclared = hasType(/^(?!.*json)/i);

const hasWrongIban: Sent = (call) => {
  const iban = /"iban":"([A-Z]{2}\d{2}[A-Z0-9]{11,30})"/.exec(call.bytes.toString())?.[1];
  return iban !== undefined && !isIban(iban);
};

const hasUnknownUuid: Sent = (call) =>
  has("counterparty_id", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)(call) &&
  !call.store.counterparties.has(String(membersOf(call)["counterparty_id"]));

const hasMemberTwice: Sent = (call) =>
  isJson(bodyOf(call)) && call.bytes.toString().split('"counterparty_id"').length > 2;

const isCutOff: Sent = (call) => isMalformed(call) && !call.bytes.toString().trimEnd().endsWith("}");

const hasDecimals = (amount: number): boolean =>
  !Number.isInteger(amount * 10_000) && String(amount).length - String(Math.trunc(amount)).length > 5;

/** A fault that answers 500 to a value that was in a successful request before. */
function again(endpoint: OperationName, id: string, what: string, valueOf: (call: Call) => unknown): Fault {
  const change = repeated(successOf(endpoint), valueOf, () => crashed);
  return faultsAt(endpoint).fault(id, "HTTP-04", `${what} gets a 500.`, change);
}

const pairOf = (call: Call): unknown => sent(call)["currency_pair"];
const payeeOf = (call: Call): unknown => sent(call)["counterparty_id"];
const wholeRequest = (call: Call): string => `${call.path} ${call.bytes.toString()}`;

/** Answers 500 to a name that differs from an earlier one only in letter case, as a case-insensitive unique index does. */
const ofOtherCase: Change = remembering(() => {
  const names = new Map<string, string>();
  return answers(successOf("createCounterparty"), (answer, call) => {
    const name = String(sent(call)["name"]);
    const known = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), known);
    return known === name ? answer : crashed;
  });
});

const crashingIfEmpty: Change = answers(
  ({ body }, call) => call.operation === "listBatches" && isJson(body) && body["total"] === 0,
  () => crashed,
);

const listWhileCreating: Change = remembering(() => {
  let inFlight = 0;
  return around(async (call, next) => {
    if (call.operation === "listBatches" && inFlight > 0) return crashed;
    if (call.operation !== "createBatch") return next(call);
    inFlight += 1;
    const answer = await next(call);
    await pause(10);
    inFlight -= 1;
    return answer;
  });
});

/** Answers 500 to the first request to an endpoint after a time without any, as a pool of closed connections does. */
const afterSilence: Change = remembering(() => {
  let last = Date.now();
  return around(async (call, next) => {
    const silence = Date.now() - last;
    try {
      return silence > 1500 && call.operation !== undefined ? crashed : await next(call);
    } finally {
      last = Date.now();
    }
  });
});

const isLongKey: Sent = (call) => String(call.headers["x-api-key"]).length > call.apiKey.length;
const hasLongUnknownId: Sent = ({ parameter, store }) => parameter.length > 64 && !store.operations.has(parameter);
const hasLetterInAccount = ofPayee((it) => /[A-Z]/.test(it.bank_account?.account_number ?? ""));
const hasUnknownCustomer: Sent = (call) => call.parameter !== call.customerId;
const isAnyNull: Sent = (call) => Object.values(membersOf(call)).includes(null);
const isNull: Sent = (call) => bodyOf(call) === null;
const always: Sent = () => true;

const requestCrashes: readonly Fault[] = [
  ...crashes("createToken", "crash-token-", [
    ["without-key", "A missing key", isWithout("x-api-key"), "AUTH-05"],
    ["empty-key", "An empty key", hasKey(/^$/), "AUTH-06"],
    ["key-beyond-ascii", "A key with non-ASCII characters", hasKey(/[^\x00-\x7f]/)],
    ["key-quote", "A quote in a key", hasKey(/'/)],
    ["long-key", "A long key", isLongKey, "AUTH-10", "AUTH-08"],
  ]),
  ...crashes("createCounterparty", "crash-counterparty-", [
    ["non-ascii", "A body with non-ASCII characters", reads(/[^\x00-\x7f]/)],
    ["undeclared", "A Content-Type that is not JSON", isUndeclared],
    ["account-with-letters", "A letter in an account number", reads(/"account_number":"\d*[A-Z]/)],
    ["quotes", "A quote in a string", holds(/\\"|'/)],
    ["long-text", "A string of more than 255 characters", holds(/[^"]{256}/)],
    ["iban-check-digits", "An IBAN with wrong check digits", hasWrongIban],
    ["quote-in-city", "A quote in a city", reads(/"city":"[^"]*'/)],
    ["half-character", "An unpaired surrogate in a string", holds(/\\ud[89a-f]/i)],
    ["quote-in-path", "A quote in the customer's id", hasQuoteInPath],
    ["zero-byte-in-external-id", "A NUL character in an external_id", has("external_id", /\0/)],
    ["prototype-member", "A member named __proto__", hasPrototype],
    ["emoji-in-bank", "An emoji in the name of a bank", reads(/"bank_name":"[^"]*[\u{10000}-\u{10ffff}]/u)],
    ["placeholder-in-city", "The format placeholder %s in a city", reads(/"city":"([^"\\]|\\.)*%s/)],
    ["blank-name", "A name of spaces only", has("name", /^\s+$/)],
    ["short-bic", "A BIC of fewer than eight characters", reads(/"swift_code":"[^"]{1,7}"/)],
    ["long-routing-number", "A routing number of more than nine digits", reads(/"aba_routing_number":"\d{10}/)],
    ["without-name", "A missing name", lacks("name")],
    ["without-account", "A missing bank_account", lacks("bank_account")],
    ["without-address", "A missing counterparty_address", lacks("counterparty_address")],
    ["account-null", "A bank_account of null", has("bank_account", null)],
    ["account-text", "A bank_account that is a string", has("bank_account", "string")],
    ["name-number", "A name that is a number", has("name", "number")],
    ["list", "A body that is an array", isList],
    ["malformed", "Malformed JSON", isMalformed],
    ["unknown-customer", "A customer that does not exist", hasUnknownCustomer],
    ["coded", "A Content-Encoding that does not match the body", isCoded],
    ["account-number-number", "An account number that is a number", reads(/"account_number":\d/)],
    ["zip-code-number", "A zip_code that is a number", reads(/"zip_code":\d/)],
  ]),
  ...crashes("createOperation", "crash-operation-", [
    ["zero", "An amount of zero", amount((amount) => amount === 0), "OPER-40"],
    ["negative", "A negative amount", amount((amount) => amount < 0), "OPER-41"],
    ["beyond-64-bits", "An integer beyond 64 bits", amount((it) => it > 2 ** 64 && it < 1e21)],
    ["beyond-doubles", "A number beyond the range of a double", amount((it) => it === Infinity)],
    ["many-decimals", "An amount of more than four decimals", amount(hasDecimals)],
    ["huge", "An amount of 1e15 or more", amount((amount) => amount >= 1e15)],
    ["above-950", "An amount above 950", amount((amount) => amount > 950), ...refusals.operation],
    ["amount-string", "An amount that is a string", has("currency_amount", "string"), "OPER-28"],
    ["prototype-member", "A member named __proto__", hasPrototype],
    ["member-twice", "A duplicate member", hasMemberTwice],
    ["deep-nesting", "An array nested a thousand levels deep", reads(/\[{1000}/)],
    ["one-currency", "A pair of the same currency twice", reads(/"USDUSD"/)],
    ["pair-number", "A pair that is a number", has("currency_pair", "number"), "OPER-30"],
    ["short-pair", "A pair of fewer than six characters", has("currency_pair", /^[^]{0,5}$/), "OPER-42"],
    ["without-content-type", "A missing Content-Type", isWithout("content-type")],
    ["charset", "A charset in the media type", hasType(/charset/)],
    ["multipart", "A multipart form without a boundary", hasType(/^multipart\/form-data$/)],
    ["byte-order-mark", "A byte order mark", reads(/^\ufeff/)],
    ["coded", "A Content-Encoding that does not match the body", isCoded],
    ["quote-in-counterparty", "A quote in the counterparty's id", has("counterparty_id", /'/)],
    ["unknown-counterparty-of-own-shape", "A UUID of no counterparty", hasUnknownUuid, "OPER-44"],
    ["no-external-id", "A counterparty without an external_id", ofPayee((it) => it.external_id === undefined)],
    ["name-beyond-ascii", "A counterparty with a non-ASCII name", ofPayee((it) => /[^\x00-\x7f]/.test(it.name ?? ""))],
    ["account-with-letters", "A counterparty with a letter in its account number", hasLetterInAccount],
    ["null", "A null member", isAnyNull, ...operationRefusals.nulls],
    ["list", "A body that is an array", isList, "OPER-32"],
    ["null-body", "A null body", isNull, "OPER-32"],
    ["object-empty", "An empty object", reads(/^\{\}$/), "OPER-20"],
    ["empty-body", "An empty body", isEmpty, "OPER-33"],
    ["malformed", "Malformed JSON", isMalformed, "OPER-34"],
    ["without-token", "A missing token", isWithout("authorization"), "AUTH-20"],
    ["unknown-counterparty", "A counterparty that does not exist", "counterparty", "OPER-44"],
  ]),
  ...crashes("addAcamItem", "crash-acam-", [
    ["not-utf-8", "A body that is not UTF-8", ({ bytes }) => !isUtf8(bytes)],
    ["beyond-doubles", "A number beyond the range of a double", itemAmount((it) => it === Infinity)],
    ["huge", "An amount of more than eighteen digits", itemAmount((it) => it >= 1e18)],
    ["many-decimals", "An amount of more than six decimals", itemAmount((it) => /\.\d{7}/.test(`${it}`))],
    ["amount-string", "An amount that is a string", has("local_currency_amount", "string")],
    ["zero", "An amount of zero", itemAmount((it) => it === 0)],
    ["long-id", "An unknown id of more than 64 characters", hasLongUnknownId, "ACAM-04"],
    ["quote-in-path", "A quote in the operation's id", hasQuoteInPath, "ACAM-04"],
    ["tax-id-punctuation", "A tax_id with punctuation", has("tax_id", /^[\d./-]*\d[./-]\d[\d./-]*$/)],
    ["tax-id-long", "A tax_id of more than eighteen digits", has("tax_id", /^\d{19,}$/)],
    ["bracket-in-path", "A bracket in the operation's id", ({ parameter }) => parameter.includes("[")],
    ["true", "A body that is true", reads(/^true$/)],
    ["tax-id-null", "A tax_id of null", has("tax_id", null)],
    ["zero-byte-behind-tax-id", "A NUL character at the end of a tax_id", has("tax_id", /^\d+[^\d]*\0/)],
    ["undeclared", "A Content-Type that is not JSON", isUndeclared],
    ["apostrophe", "An apostrophe in a string", holds(/'/)],
    ["without-merchant", "A missing merchant", lacks("merchant")],
    ["malformed", "Malformed JSON", isMalformed],
    ["empty-body", "An empty body", isEmpty],
    ["unknown-operation", "An operation that does not exist", "operation", "ACAM-04"],
    ["purpose", "A purpose other than EFX", "purpose", "ACAM-03", "ACAM-05"],
  ]),
  ...crashes("createBatch", "crash-batch-", [
    ["half", "A body that is cut off", isCutOff],
    ["number", "A body that is a number", reads(/^\d+$/)],
    ["coded", "A Content-Encoding that does not match the body", isCoded],
    ["undeclared", "A Content-Type that is not JSON", isUndeclared],
    ["without-content-type", "A missing Content-Type", isWithout("content-type")],
    ["without-pair", "A missing pair", lacks("currency_pair")],
    ["pair-null", "A pair of null", has("currency_pair", null)],
    ["pair-number", "A pair that is a number", has("currency_pair", "number")],
    ["list", "A body that is an array", isList],
  ]),
  ...crashes("listBatches", "crash-list-", [
    ["page-no-number", "A page that is not a number", query("page", /[^\d.-]/)],
    ["beyond-64-bits", "A number beyond 64 bits", query("limit", /^\d{20,}$/)],
    ["page-size-zero", "A page_size of 0", query("page_size", /^0$/)],
    ["date", "A date that does not exist", query("from", /^2026-02-30$/)],
    ["quote-in-pair", "A quote in a pair", query("currency_pair", /'/)],
    ["brackets", "Brackets in the query", ({ query }) => query.has("limit[]")],
    ["nested-query", "A query nested a hundred deep", ({ url }) => /(%5Ba%5D){100}/i.test(url)],
    ["page-end-beyond-64-bits", "A page that ends beyond 64 bits", query("limit", /^9223372036854775807$/)],
    ["limit-twice", "A duplicate limit", (call) => call.query.getAll("limit").length > 1],
    ["limit-negative", "A limit below zero", query("limit", /^-/)],
    ["accept-any", "An Accept header of */*", ({ headers }) => headers.accept === "*/*"],
    ["forwarded-for", "An X-Forwarded-For header that is not an address", header("x-forwarded-for", /[a-z]/)],
    ["zero-byte", "A NUL character in the query", ({ url }) => url.includes("%00")],
    ["unsigned-token", "A token of three parts, the last of them empty", hasToken(/\..*\.$/), "AUTH-37"],
    ["long-token", "A token of more than 4096 characters", hasToken(/.{4097}/)],
    ["token-quote", "A quote in a token", hasToken(/'/)],
    ["other-scheme", "Another scheme in Authorization", hasToken(/^(?!bearer \S)/i), "AUTH-39"],
  ]),
];

const connectionFaults: readonly Fault[] = [
  drops("createToken", "dropped-without-key", "A missing key", isWithout("x-api-key"), "AUTH-05"),
  drops("createCounterparty", "dropped-without-external-id", "A missing external_id", lacks("external_id")),
  drops("createOperation", "dropped-on-list", "A body that is an array", reads(/^\s*\[/), "OPER-32"),
  drops("createOperation", "dropped-on-null", "A counterparty_id of null", has("counterparty_id", null), "OPER-27"),
  drops("createOperation", "dropped-when-refused", "A bad token", "token", ...tokenRefusals.createOperation),
  drops("addAcamItem", "dropped", "An item", hasToken(/^/), "ACAM-01", "ACAM-02"),
  drops("createBatch", "dropped-without-pair", "A missing pair", lacks("currency_pair")),
  drops("listBatches", "dropped", "GET /batches", always),
  drops("listBatches", "dropped-without-token", "A missing token", isWithout("authorization"), "AUTH-36"),
  hangs("createCounterparty", "hangs-on-malformed", "Malformed JSON", isMalformed),
  hangs("createOperation", "hangs-on-malformed", "Malformed JSON", isMalformed, "OPER-34"),
  hangs("createOperation", "hangs-on-empty-body", "An empty body", isEmpty, "OPER-33"),
  hangs("createOperation", "hangs-on-unknown-counterparty", "An unknown counterparty", "counterparty", "OPER-44"),
  hangs("addAcamItem", "hangs-on-unknown-operation", "An unknown operation", "operation", "ACAM-04"),
  hangs("createBatch", "hangs", "POST /batches", always),
  hangs("listBatches", "hangs", "GET /batches", always),
];

const operation = faultsAt("createOperation", "crash-operation-");
const batch = faultsAt("createBatch", "crash-batch-");
const list = faultsAt("listBatches", "crash-list-");
const madeUp = ["HTTP-04", "AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40", "AUTH-41"] as const;
const anywhere = faultsAnywhere("crash-");
const onHttps = faultsAnywhere("plain-http-");
const https = { needs: { https: true } } as const;

const toCrash = (answer: Answer, call: Call): Answer => (has("currency_pair", /^[A-Z]{6}$/)(call) ? crashed : answer);
const toBadGateway = (answer: Answer, call: Call): Answer =>
  call.headers.authorization === undefined ? answer : problem(502, "Bad gateway");

/** Serves all requests over plain HTTP on the TLS port. */
const serving: Change = () => ({ plainHttp: (_request, _response, serve) => serve() });

/** Serves requests for a token over plain HTTP on the TLS port, and refuses all others. */
const servingTokens: Change = () => ({
  plainHttp: (request, response, serve) => {
    if (request.url?.endsWith("/auth/token")) serve();
    else response.writeHead(400, { "content-type": "text/html" }).end("<h1>TLS please</h1>");
  },
});

export const crashFaults: readonly Fault[] = [
  ...requestCrashes,
  ...connectionFaults,
  batch.fault(
    "malformed",
    "HTTP-04",
    "Malformed JSON gets a 503.",
    batch.gives(problem(503, "Unavailable"), isMalformed),
  ),
  operation.fault(
    "unknown-pair",
    ["HTTP-04", "OPER-43"],
    "An unknown pair gets a 500.",
    operation.refuses("pair", toCrash),
  ),
  list.fault("made-up-token", madeUp, "A token that was never issued gets a 502.", list.refuses("token", toBadGateway)),
  list.fault("empty", "HTTP-04", "GET /batches gets a 500 if there are no batches.", crashingIfEmpty),
  list.fault("while-created", "HTTP-04", "GET /batches gets a 500 while a batch is being created.", listWhileCreating),
  anywhere.fault(
    "after-silence",
    "HTTP-04",
    "The first request after 1.5 s without any gets a 500.",
    afterSilence,
    withPatience,
  ),
  anywhere.fault(
    "idle-connection",
    "HTTP-04",
    "A request on a connection that was idle for 100 ms gets a 500.",
    instead(({ idle }) => idle > 100, crashed),
  ),
  anywhere.fault(
    "head",
    "HTTP-04",
    "HEAD /batches gets a 500.",
    instead(({ method }) => method === "HEAD", crashed),
  ),
  again("createBatch", "crash-batch-second-of-pair", "A second batch for a pair", pairOf),
  again("createOperation", "crash-operation-second-of-counterparty", "A payee's second operation", payeeOf),
  again("addAcamItem", "acam-second-item-500", "A second item for an operation", ({ parameter }) => parameter),
  again("createCounterparty", "counterparty-same-again-crashes", "A counterparty sent twice", wholeRequest),
  again("createOperation", "operation-same-again-crashes", "An operation sent twice", wholeRequest),
  again("addAcamItem", "acam-same-again-crashes", "An item sent twice", wholeRequest),
  at.createCounterparty.fault("name-in-capitals-crashes", "HTTP-04", "A name in another case gets a 500.", ofOtherCase),

  onHttps.fault("served", "HTTP-07", "The TLS port serves the API over plain HTTP, too.", serving, https),
  onHttps.fault("serves-token", "HTTP-07", "The TLS port issues tokens over plain HTTP, too.", servingTokens, https),
];

const crashingConcurrent: Change = crowded(
  ({ operation }) => operation === "createOperation",
  async (inFlight, next) => {
    const many = inFlight() >= 3;
    await pause(10);
    return many ? crashed : next();
  },
);

function crashing(endpoint: OperationName, n: number, also: readonly RequirementId[]): Fault {
  const { fault, gives } = at[endpoint];
  const change = gives(crashed, ({ nth }) => nth % n === 0);
  return fault("sometimes-crashes", ["HTTP-04", ...also], `One of ${n} requests gets a 500.`, change);
}

/** Changes each success of an endpoint whose number is a multiple of `n`. */
function everyNth(n: number, endpoint: OperationName, change: Edit): Change {
  return remembering(() => {
    let made = 0;
    return success(endpoint, (body, call) => {
      made += 1;
      return made % n === 0 ? change(body, call) : body;
    });
  });
}

/** A fault of each success of an endpoint whose number is a multiple of `n`. */
function wrong(endpoint: OperationName, id: string, broken: Broken, n: number, words: string, change: Edit): Fault {
  const about = `Of ${n} successes, ${words}.`;
  return at[endpoint].fault(`sometimes-${id}`, broken, about, everyNth(n, endpoint, change));
}

const textAmount = edit("foreign_currency_amount", String);
const inSaoPaulo = edit("created_at", (time: string) => time.replace("Z", "-03:00"));

const anyRefusal: Broken = ["HTTP-04", ...Object.values(refusals).flat()];
const ofOperation: Broken = ["HTTP-04", ...refusals.operation];

export const intermittentFaults: readonly Fault[] = [
  faultsAnywhere().fault("sometimes-crashes", anyRefusal, "Every ninth request gets a 500.", insteadOfEach(9, crashed)),
  crashing("createCounterparty", 5, refusals.counterparty),
  crashing("createOperation", 7, refusals.operation),
  crashing("createBatch", 4, refusals.batch),
  crashing("listBatches", 3, refusals.list),
  at.createOperation.fault(
    "sometimes-crashes-together",
    ofOperation,
    "A third at once gets a 500.",
    crashingConcurrent,
  ),
  wrong("createCounterparty", "without-id", "CPTY-01", 6, "one has no id", omit("id")),
  wrong("createOperation", "quoted", "OPER-02", 8, "one has the status quoted", set({ status: "quoted" })),
  wrong("createOperation", "amount-string", ["OPER-10", "OPER-06"], 10, "one has a string as its amount", textAmount),
  wrong("createOperation", "time-local", "OPER-14", 5, "one has the offset of São Paulo in its time", inSaoPaulo),
  wrong("createBatch", "id-missing", "BATCH-01", 3, "one has no id", omit("id")),
];
