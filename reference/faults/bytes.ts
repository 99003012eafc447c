import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { all, answers, refusalOf, sent, successOf, rawResponse, withBytes } from "../change.ts";
import type { When } from "../change.ts";
import { isJson, set } from "../edits.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { rowsAnywhere, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";

/** Sets another Content-Type; an empty one removes the header. */
const typed = (when: When, type: string): Change =>
  rawResponse(when, (encoded) => {
    const { "content-type": _json, ...headers } = encoded.headers;
    return { ...encoded, headers: type === "" ? headers : { ...headers, "content-type": type } };
  });

/** Encodes the same text in other bytes. */
const bytes = (when: When, change: (text: string) => Buffer): Change =>
  rawResponse(when, (encoded) => withBytes(encoded, change(encoded.bytes.toString())));

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const utf16 = (text: string): Buffer => Buffer.from(`\u{feff}${text}`, "utf16le");

/** A success without a body. */
const bare = (operation: OperationName, status: number): Change =>
  answers(successOf(operation), ({ headers }) => ({ status, headers }));

/** An error as an HTML page. */
const page = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, "content-type": "text/html" },
  text: `<!doctype html><title>${answer.status}</title><h1>Error ${answer.status}</h1>`,
});

/** An error that repeats the body of the request unescaped. */
const quoting = (answer: Answer, call: Call): Answer => ({
  ...answer,
  text: `{"message":"This is not JSON: "${call.bytes.toString()}""}`,
});

const isError: When = ({ status }) => status >= 400;
const messageInLatin: Change = answers(
  (answer, call) => isError(answer, call) && isJson(answer.body),
  set({ body: { message: "Requisição inválida" } }),
);

const token = rowsOf("createToken", "token-");
const counterparty = rowsOf("createCounterparty", "counterparty-");
const operation = rowsOf("createOperation", "operation-");
const acam = rowsOf("addAcamItem", "acam-");
const batch = rowsOf("createBatch", "batch-");
const list = rowsOf("listBatches", "list-");
const anywhere = rowsAnywhere("all-");

const unreadable: { readonly also: readonly RequirementId[] } = {
  also: ["AUTH-12", "CPTY-12", "OPER-17", "ACAM-06", "BATCH-08", "BATCH-28", "HTTP-02"],
};
const undecodable: { readonly also: readonly RequirementId[] } = { also: ["HTTP-02", "HTTP-03", ...unreadable.also] };

/** Faults of the media type, the JSON and the encoding of a body, and missing bodies. */
export const byteFaults: readonly Fault[] = [
  token("text-plain", "HTTP-01", "The Content-Type of a token is text/plain.").by(
    typed(successOf("createToken"), "text/plain"),
  ),
  token("untyped", "HTTP-01", "The response with a token has no Content-Type.").by(typed(successOf("createToken"), "")),
  counterparty("text-html", "HTTP-01", "The Content-Type of a counterparty is text/html.").by(
    typed(successOf("createCounterparty"), "text/html; charset=utf-8"),
  ),
  operation("untyped", "HTTP-01", "The response with an operation has no Content-Type.").by(
    typed(successOf("createOperation"), ""),
  ),
  operation("error-text-html", "HTTP-01", "The Content-Type of an error is text/html.").by(
    typed(refusalOf("createOperation"), "text/html"),
  ),
  operation("error-problem-json", "HTTP-01", "The Content-Type of an error is application/problem+json.").by(
    typed(refusalOf("createOperation"), "application/problem+json"),
  ),
  acam("text-json", "HTTP-01", "The Content-Type of the response to an item is text/json.").by(
    typed(successOf("addAcamItem"), "text/json"),
  ),
  batch("octets", "HTTP-01", "The Content-Type of a batch is application/octet-stream.").by(
    typed(successOf("createBatch"), "application/octet-stream"),
  ),
  batch("error-untyped", "HTTP-01", "An error has no Content-Type.").by(typed(refusalOf("createBatch"), "")),
  list("hal-json", "HTTP-01", "The Content-Type of the list is application/hal+json.").by(
    typed(successOf("listBatches"), "application/hal+json"),
  ),
  list("error-page", "HTTP-01", "An error is an HTML page.", unreadable).refuses(page),
  acam("error-page", "HTTP-01", "An error is an HTML page.", unreadable).refuses(page),
  counterparty("unauthenticated-text", "HTTP-01", "The error for a bad token is plain text.", unreadable).refuses(
    set({ headers: { "content-type": "text/plain" }, text: "Unauthorized" }),
    "token",
  ),
  operation("malformed-page", "HTTP-01", "The error for malformed JSON is an HTML page.", unreadable).refuses(
    page,
    "malformed",
  ),
  batch("malformed-text", "HTTP-01", "The error for malformed JSON is plain text.", unreadable).refuses(
    set({ headers: { "content-type": "text/plain" }, text: "Unexpected end of JSON input" }),
    "malformed",
  ),

  list("trailing-comma", "HTTP-02", "The list has a comma before its closing brace.", {
    also: ["BATCH-20", "BATCH-21", "BATCH-22"],
  }).writes((it) => it.replace(/}\s*$/, ",}")),
  operation("amount-nan", "HTTP-02", "Amounts with decimals are shown as NaN.").writes((it, call) =>
    Number.isInteger(sent(call)["currency_amount"])
      ? it
      : it.replace(/("foreign_currency_amount":\s*)[^,}\s]+/, "$1NaN"),
  ),
  operation("cut-short", "HTTP-02", "The last bytes of an operation are missing, and Content-Length fits.").writes(
    (it) => it.slice(0, -12),
  ),
  operation(
    "error-quotes-body",
    "HTTP-02",
    "The error for malformed JSON repeats the body unescaped.",
    unreadable,
  ).refuses(quoting, "malformed"),
  counterparty("single-quotes", "HTTP-02", "Counterparties are written with single quotes.", {
    also: ["CPTY-01"],
  }).writes((it) => it.replaceAll('"', "'")),
  counterparty("quotes-unescaped", "HTTP-02", "Quotes inside a string are not escaped.").writes((it) =>
    it.replaceAll('\\"', '"'),
  ),
  counterparty("cut-short-when-long", "HTTP-02", "Counterparties are cut after 600 bytes.").writes((it) =>
    Buffer.from(it).subarray(0, 600).toString(),
  ),
  acam("twice", "HTTP-02", "The body of the response to an item holds the JSON twice.", {
    also: ["ACAM-01", "ACAM-02"],
  }).writes((it) => it + it),
  acam("form-encoded", "HTTP-02", "The response to an item is form-encoded.", { also: ["ACAM-01", "ACAM-02"] }).writes(
    () => "message=ACAM+item+added+successfully&status=success",
  ),
  batch("guarded", "HTTP-02", "A batch begins with the prefix )]}' against JSON hijacking.", {
    also: ["BATCH-01"],
  }).writes((it) => `)]}',\n${it}`),
  token("bare-text", "HTTP-02", "The token is the whole body, without JSON around it.", { also: ["AUTH-01"] }).by(
    answers(successOf("createToken"), (answer) => ({
      ...answer,
      text: String((answer.body as { token?: unknown }).token),
    })),
  ),
  list("byte-order-mark", "HTTP-02", "The list begins with a byte order mark.", {
    also: ["HTTP-03", "BATCH-20"],
  }).writes((it) => `\u{feff}${it}`),

  anywhere("latin-1", "HTTP-03", "All bodies are encoded in Latin-1.", undecodable).by(bytes(() => true, latin1)),
  anywhere("errors-latin-1", "HTTP-03", "Errors are in Portuguese, encoded in Latin-1.", undecodable).by(
    all(messageInLatin, bytes(isError, latin1)),
  ),
  counterparty("text-latin-1", "HTTP-03", "A counterparty is encoded in Latin-1.", { also: ["HTTP-02"] }).writes(
    latin1,
  ),
  operation("text-latin-1", "HTTP-03", "An operation is encoded in Latin-1.", { also: ["HTTP-02"] }).writes(latin1),
  operation("utf-16", "HTTP-03", "An operation is encoded in UTF-16 with a byte order mark.", {
    also: ["HTTP-02"],
  }).writes(utf16),
  list("utf-16", "HTTP-03", "The list is encoded in UTF-16 with a byte order mark.", {
    also: ["HTTP-02", "BATCH-28"],
  }).by(bytes((_answer, { operation: name }) => name === "listBatches", utf16)),
  acam("stray-byte", "HTTP-03", "The response to an item contains a byte that is not valid UTF-8.", {
    also: ["HTTP-02"],
  }).writes((it) =>
    Buffer.concat([Buffer.from(`${it.slice(0, -1)},"note":"caf`), Buffer.from([0xe9]), Buffer.from('"}')]),
  ),

  token("no-content", "HTTP-06", "The response with a token is a 204.", { also: ["AUTH-01"] }).by(
    bare("createToken", 204),
  ),
  counterparty("no-content", "HTTP-06", "The response with a counterparty is a 201 without a body.", {
    also: ["CPTY-01"],
  }).by(bare("createCounterparty", 201)),
  operation("no-content", "HTTP-06", "The response with an operation is a 200 without a body.", {
    also: ["OPER-02", "OPER-05", "HTTP-02"],
  }).by(bare("createOperation", 200)),
  acam("no-content", "HTTP-06", "The response to an item is a 204.", { also: ["ACAM-01", "ACAM-02"] }).by(
    bare("addAcamItem", 204),
  ),
  acam("empty-200", "HTTP-06", "The response to an item is a 200 without a body.", {
    also: ["ACAM-01", "ACAM-02", "HTTP-02"],
  }).by(bare("addAcamItem", 200)),
  batch("no-content", "HTTP-06", "The response with a batch is a 204.", { also: ["BATCH-01", "BATCH-03"] }).by(
    bare("createBatch", 204),
  ),
  list("not-modified", "HTTP-06", "From the second request on, the list is a 304.").by(
    answers(
      (answer, call) => successOf("listBatches")(answer, call) && call.nth > 1,
      ({ headers }) => ({ status: 304, headers }),
    ),
  ),
  list("no-content-when-empty", "HTTP-06", "An empty list is a 204.", {
    also: ["BATCH-20", "BATCH-21", "BATCH-22"],
  }).by(
    answers(
      (answer, call) => successOf("listBatches")(answer, call) && (answer.body as { total?: unknown }).total === 0,
      ({ headers }) => ({ status: 204, headers }),
    ),
  ),
];
