import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { all, answers, isJson, rawResponse, refusalOf, sent, set, successOf, withBytes } from "../change.ts";
import type { Json, When } from "../change.ts";
import type { Answer, Call, Change, RefusalReason } from "../policy.ts";
import { rows, rowsAnywhere, type Broken, type Fault, rowsOf, withPurposes } from "./fault.ts";

const { createToken: token, createCounterparty: counterparty, createOperation: operation } = rows;
const { addAcamItem: acam, createBatch: batch, listBatches: list } = rows;

/** A fault of the Content-Type of the successes or the errors of an endpoint; an empty one removes the header. */
const typed = (at: OperationName, id: string, type: string, of: "success" | "error" = "success"): Fault =>
  rows[at](id, "HTTP-01", `The Content-Type of ${of === "error" ? "an" : "a"} ${of} is ${type || "missing"}.`).by(
    rawResponse(of === "error" ? refusalOf(at) : successOf(at), (encoded) => {
      const { "content-type": _json, ...headers } = encoded.headers;
      return { ...encoded, headers: type === "" ? headers : { ...headers, "content-type": type } };
    }),
  );

const withoutBody = (at: OperationName, status: number, when: When = () => true): Change =>
  answers(
    (answer, call) => successOf(at)(answer, call) && when(answer, call),
    ({ headers }) => ({ status, headers }),
  );

const bare = (at: OperationName, id: string, status: number, ...also: readonly RequirementId[]): Fault =>
  rows[at](id, ["HTTP-06", ...also], `A success is a ${status} without a body.`).by(withoutBody(at, status));

const bytes = (when: When, change: (text: string) => Buffer): Change =>
  rawResponse(when, (encoded) => withBytes(encoded, change(encoded.bytes.toString())));

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const bom = "\u{feff}";
const utf16 = (text: string): Buffer => Buffer.from(bom + text, "utf16le");
const listInUtf16 = bytes((_answer, { operation: name }) => name === "listBatches", utf16);
const withSingleQuotes = (text: string): string => text.replaceAll('"', "'");
const cutAt600 = (text: string): string => Buffer.from(text).subarray(0, 600).toString();
const tokenIn = (text: string): string => (JSON.parse(text) as { readonly token: string }).token;
const form = "message=ACAM+item+added+successfully&status=success";
const withNan = (text: string, call: Call): string => {
  const isWhole = Number.isInteger(sent(call)["currency_amount"]);
  return isWhole ? text : text.replace(/("foreign_currency_amount":\s*)[^,}\s]+/, "$1NaN");
};
const strayByte = (text: string): Buffer =>
  Buffer.concat([Buffer.from(`${text.slice(0, -1)},"note":"caf`), Buffer.from([0xe9]), Buffer.from('"}')]);

const page = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, "content-type": "text/html" },
  text: `<!doctype html><title>${answer.status}</title><h1>Error ${answer.status}</h1>`,
});

const isForBrowser = ({ headers }: Call): boolean => headers.accept?.includes("text/html") === true;

const plain = (text: string) => set({ headers: { "content-type": "text/plain" }, text });

/** An error that repeats the body of the request unescaped. */
const quoting = (answer: Answer, call: Call): Answer => ({
  ...answer,
  text: `{"message":"This is not JSON: "${call.bytes.toString()}""}`,
});

const isError: When = ({ status }) => status >= 400;
const inPortuguese: Change = answers(
  (answer, call) => isError(answer, call) && isJson(answer.body),
  set({ body: { message: "Requisição inválida" } }),
);

/** What an error breaks whose message cannot be read. */
const messages = ["AUTH-12", "CPTY-12", "OPER-17", "ACAM-06", "BATCH-08", "BATCH-28", "HTTP-02"] as const;
const unreadable: Broken = ["HTTP-01", ...messages];
const undecodable: Broken = ["HTTP-03", ...messages];
const ofItem = ["ACAM-01", "ACAM-02"] as const;
const ofList = ["BATCH-20", "BATCH-21", "BATCH-22"] as const;
const brokenList: Broken = ["HTTP-02", ...ofList];
const marked: Broken = ["HTTP-02", "HTTP-03", "BATCH-20"];
const noJson: Broken = ["HTTP-02", ...messages];
const anywhere = rowsAnywhere("all-");

export const byteFaults: readonly Fault[] = [
  typed("createToken", "text-plain", "text/plain"),
  typed("createToken", "untyped", ""),
  typed("createCounterparty", "text-html", "text/html; charset=utf-8"),
  typed("createOperation", "untyped", ""),
  typed("createOperation", "error-text-html", "text/html", "error"),
  typed("createOperation", "error-problem-json", "application/problem+json", "error"),
  typed("addAcamItem", "text-json", "text/json"),
  typed("createBatch", "octets", "application/octet-stream"),
  typed("createBatch", "error-untyped", "", "error"),
  typed("listBatches", "hal-json", "application/hal+json"),
  list("error-page", unreadable, "An error is an HTML page.").refuses("any", page),
  acam("error-page", unreadable, "An error is an HTML page.").refuses("any", page),
  list("page-for-browsers", ["HTTP-01", "HTTP-02", ...ofList], "A browser gets the list as a page.").by(
    answers((answer, call) => successOf("listBatches")(answer, call) && isForBrowser(call), page),
  ),
  operation("malformed-page", unreadable, "The error for malformed JSON is an HTML page.").refuses("malformed", page),
  batch("malformed-text", unreadable, "The error for malformed JSON is text.").refuses("malformed", plain("No JSON")),
  counterparty("unauthenticated-text", unreadable, "The error for a bad token is text.").refuses("token", plain("No")),

  list("trailing-comma", brokenList, "A comma precedes the last brace.").writes((it) => it.replace(/}\s*$/, ",}")),
  operation("amount-nan", "HTTP-02", "Amounts with decimals are shown as NaN.").writes(withNan),
  operation("cut-short", "HTTP-02", "The last bytes of an operation are missing.").writes((it) => it.slice(0, -12)),
  operation("error-quotes-body", noJson, "The error for malformed JSON repeats it.").refuses("malformed", quoting),
  counterparty("single-quotes", ["HTTP-02", "CPTY-01"], "Strings have single quotes.").writes(withSingleQuotes),
  counterparty("quotes-unescaped", "HTTP-02", "Quotes are not escaped.").writes((it) => it.replaceAll('\\"', '"')),
  counterparty("cut-short-when-long", "HTTP-02", "Counterparties are cut after 600 bytes.").writes(cutAt600),
  acam("twice", ["HTTP-02", ...ofItem], "The response to an item holds the JSON twice.").writes((it) => it + it),
  acam("form-encoded", ["HTTP-02", ...ofItem], "The response to an item is form-encoded.").writes(() => form),
  batch("guarded", ["HTTP-02", "BATCH-01"], "A batch begins with the line )]}'.").writes((it) => `)]}',\n${it}`),
  token("bare-text", ["HTTP-02", "AUTH-01"], "The token is the whole body, without JSON around it.").writes(tokenIn),
  list("byte-order-mark", marked, "The list begins with a byte order mark.").writes((it) => bom + it),

  anywhere("latin-1", undecodable, "All bodies are encoded in Latin-1.").by(bytes(() => true, latin1)),
  anywhere("errors-latin-1", undecodable, "Errors are in Latin-1.").by(all(inPortuguese, bytes(isError, latin1))),
  counterparty("text-latin-1", ["HTTP-03", "HTTP-02"], "A counterparty is encoded in Latin-1.").writes(latin1),
  operation("text-latin-1", ["HTTP-03", "HTTP-02"], "An operation is encoded in Latin-1.").writes(latin1),
  operation("utf-16", ["HTTP-03", "HTTP-02"], "An operation is in UTF-16 with a byte order mark.").writes(utf16),
  list("utf-16", ["HTTP-03", "HTTP-02", "BATCH-28"], "The list is in UTF-16 with a byte order mark.").by(listInUtf16),
  acam("stray-byte", ["HTTP-03", "HTTP-02"], "The response to an item has a byte that is not UTF-8.").writes(strayByte),

  bare("createToken", "no-content", 204, "AUTH-01"),
  bare("createCounterparty", "no-content", 201, "CPTY-01"),
  bare("createOperation", "no-content", 200, "OPER-02", "OPER-05", "HTTP-02"),
  bare("addAcamItem", "no-content", 204, ...ofItem),
  bare("addAcamItem", "empty-200", 200, ...ofItem, "HTTP-02"),
  bare("createBatch", "no-content", 204, "BATCH-01", "BATCH-03"),
  list("not-modified", "HTTP-06", "From the second request on, the list is a 304.").by(
    withoutBody("listBatches", 304, (_answer, { nth }) => nth > 1),
  ),
  list("no-content-when-empty", ["HTTP-06", ...ofList], "An empty list is a 204.").by(
    withoutBody("listBatches", 204, ({ body }) => (body as Json)["total"] === 0),
  ),
];

/** Error bodies that break the specified shape, made from the right message and the status; with the words for them. */
const shapes = {
  renamed: ["has the shape { error }", (message) => ({ error: message })],
  number: ["has a number as its message", (_message, status) => ({ message: status })],
  object: ["has an object as its message", (message) => ({ message: { en: message } })],
  list: ["has an array as its message", (message) => ({ message: [message] })],
  null: ["has a null message", () => ({ message: null })],
  errors: ["has the shape { errors: [{ detail }] }", (message) => ({ errors: [{ detail: message }] })],
  nested: ["has the shape { error: { message } }", (message) => ({ error: { message } })],
  string: ["is a string", (message) => message],
  array: ["is an array", (message) => [{ message }]],
  empty: ["is {}", () => ({})],
} as const satisfies Record<string, readonly [words: string, bodyOf: (message: string, status: number) => unknown]>;

const shaped =
  (shape: keyof typeof shapes) =>
  (answer: Answer): Answer => {
    const { message } = answer.body as { readonly message?: unknown };
    return { ...answer, body: shapes[shape][1](String(message), answer.status) };
  };

const causes = {
  token: "a bad token",
  invalid: "invalid data",
  malformed: "malformed JSON",
  operation: "an unknown operation",
} as const satisfies Partial<Record<RefusalReason, string>>;

const errorRules = {
  createToken: "AUTH-12",
  createCounterparty: "CPTY-12",
  createOperation: "OPER-17",
  addAcamItem: "ACAM-06",
  createBatch: "BATCH-08",
  listBatches: "BATCH-28",
} as const satisfies Record<OperationName, RequirementId>;

const key = rowsOf("createToken", "key-");

/** A fault of the errors of an endpoint; `400` stands for all invalid requests. */
const error = (at: OperationName, id: string, shape: keyof typeof shapes, cause?: keyof typeof causes | "400") => {
  const name = cause === undefined ? "Every error" : `The error for ${cause === "400" ? "bad data" : causes[cause]}`;
  const isBad: When = ({ status }, call) => status === 400 && call.operation === at;
  const when = cause === "400" ? isBad : refusalOf(at, ...(cause === undefined ? [] : [cause]));
  const row = at === "createToken" ? key : rows[at];
  return row(id, errorRules[at], `${name} ${shapes[shape][0]}.`).by(answers(when, shaped(shape)));
};

const forMissing = (answer: Answer, { headers }: Call): Answer =>
  headers["x-api-key"] === undefined ? { ...answer, body: { code: "NO_KEY" } } : answer;
const notEfx = (): Answer => ({ status: 409, headers: {}, body: { code: "NOT_EFX" } });

/** What some frameworks give to a browser whose form has mistakes: neither a refusal nor a success. */
const toForm = (answer: Answer): Answer => ({
  status: 302,
  headers: { location: "/form", "content-type": "text/html" },
  text: "<html><body>Found</body></html>",
  refusal: answer.refusal,
});

const redirected = (at: OperationName, id: string, what: string, reason: RefusalReason): Fault =>
  rows[at](id, errorRules[at], `${what} is redirected to a page.`).refuses(reason, toForm);

export const errorShapeFaults: readonly Fault[] = [
  redirected("createCounterparty", "invalid-redirected", "An invalid counterparty", "invalid"),
  redirected("createCounterparty", "customer-redirected", "A counterparty of an unknown customer", "customer"),
  redirected("addAcamItem", "invalid-redirected", "An invalid item", "invalid"),
  redirected("createBatch", "invalid-redirected", "An invalid batch", "invalid"),
  rows
    .createCounterparty("invalid-431", "HTTP-01", "An invalid counterparty gets a 431 with a page.")
    .refuses("invalid", (answer) => ({ ...toForm(answer), status: 431 })),
  error("createToken", "error-renamed", "renamed"),
  error("createToken", "error-message-object", "object"),
  error("createCounterparty", "error-renamed", "renamed"),
  error("createCounterparty", "error-errors", "errors"),
  error("createCounterparty", "error-list", "list", "invalid"),
  error("createCounterparty", "error-token-string", "string", "token"),
  error("createOperation", "invalid-error-renamed", "renamed", "400"),
  error("createOperation", "invalid-error-list", "list", "400"),
  error("createOperation", "invalid-error-number", "number", "400"),
  error("createOperation", "token-error-nested", "nested", "token"),
  error("createOperation", "malformed-error-string", "string", "malformed"),
  error("addAcamItem", "error-renamed", "renamed"),
  error("addAcamItem", "unknown-error-empty", "empty", "operation"),
  error("addAcamItem", "invalid-error-object", "object", "invalid"),
  error("addAcamItem", "token-error-array", "array", "token"),
  error("createBatch", "error-renamed", "renamed"),
  error("createBatch", "error-message-null", "null"),
  error("createBatch", "error-invalid-errors", "errors", "invalid"),
  error("listBatches", "error-renamed", "renamed"),
  error("listBatches", "error-number", "number"),
  error("listBatches", "error-empty", "empty"),
  key("error-only-for-missing", "AUTH-12", "The error for a missing key has no message.").refuses("any", forMissing),
  acam("purpose-error-code", "ACAM-06", "The error for a purpose is a code.", withPurposes).refuses("purpose", notEfx),
];
