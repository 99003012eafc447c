import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { all, answers, isJson, sent, succeeded, wire, withBytes } from "../change.ts";
import type { Answer, Call, Change, Wire } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";

type When = (answer: Answer, call: Call) => boolean;

const at =
  (operation: OperationName): When =>
  (_answer, call) =>
    call.operation === operation;
const successAt =
  (operation: OperationName): When =>
  (answer, call) =>
    call.operation === operation && succeeded(answer);
const errorAt =
  (operation: OperationName): When =>
  (answer, call) =>
    call.operation === operation && answer.status >= 400;

/** Declares another media type; an empty one is left out. */
const typed = (when: When, type: string): Change =>
  wire(when, (encoded) => {
    const { "content-type": _json, ...headers } = encoded.headers;
    return { ...encoded, headers: type === "" ? headers : { ...headers, "content-type": type } };
  });

/** Other bytes for the same text. */
const bytes = (when: When, change: (text: string) => Buffer): Change =>
  wire(when, (encoded: Wire) => withBytes(encoded, change(encoded.bytes.toString())));

const text = (when: When, change: (text: string, call: Call) => string): Change =>
  wire(when, (encoded, call) => withBytes(encoded, Buffer.from(change(encoded.bytes.toString(), call))));

/** A success without a body. */
const bare = (operation: OperationName, status: number): Change =>
  answers(successAt(operation), ({ headers }) => ({ status, headers }));

/** Errors as a page to look at. */
const page = (when: When): Change =>
  answers(when, (answer) => ({
    ...answer,
    headers: { ...answer.headers, "content-type": "text/html" },
    text: `<!doctype html><title>${answer.status}</title><h1>Error ${answer.status}</h1>`,
  }));

const messageInLatin: Change = answers(
  (answer) => answer.status >= 400 && isJson(answer.body),
  (answer) => ({ ...answer, body: { message: "Requisição inválida" } }),
);

/** An error that repeats the body as it came, without escapes. */
const quoting: Change = answers(
  (answer, call) => answer.refusal === "malformed" && call.operation === "createOperation",
  (answer, call) => ({ ...answer, text: `{"message":"This is not JSON: "${call.bytes.toString()}""}` }),
);

const token = rowsOf("createToken", "token");
const counterparty = rowsOf("createCounterparty", "counterparty");
const operation = rowsOf("createOperation", "operation");
const acam = rowsOf("addAcamItem", "acam");
const batch = rowsOf("createBatch", "batch");
const list = rowsOf("listBatches", "list");
const anywhere = rowsOf(undefined, "all");

const unreadable: { readonly also: readonly RequirementId[] } = {
  also: ["AUTH-12", "CPTY-12", "OPER-17", "ACAM-06", "BATCH-08", "BATCH-28", "HTTP-02"],
};
const undecodable: { readonly also: readonly RequirementId[] } = { also: ["HTTP-02", "HTTP-03", ...unreadable.also] };

/** Faults of the media type, the JSON and the encoding of a body, and of bodies that are not there. */
export const byteFaults: readonly Fault[] = [
  token("text-plain", "HTTP-01", "The token is declared as text/plain.", typed(successAt("createToken"), "text/plain")),
  token("untyped", "HTTP-01", "The token has no Content-Type.", typed(successAt("createToken"), "")),
  counterparty(
    "text-html",
    "HTTP-01",
    "Counterparties are declared as text/html.",
    typed(successAt("createCounterparty"), "text/html; charset=utf-8"),
  ),
  operation("untyped", "HTTP-01", "Operations have no Content-Type.", typed(successAt("createOperation"), "")),
  operation(
    "error-text-html",
    "HTTP-01",
    "Errors of an operation are declared as text/html.",
    typed(errorAt("createOperation"), "text/html"),
  ),
  operation(
    "error-problem-json",
    "HTTP-01",
    "Errors of an operation are declared as application/problem+json.",
    typed(errorAt("createOperation"), "application/problem+json"),
  ),
  acam(
    "text-json",
    "HTTP-01",
    "The answer to an item is declared as text/json.",
    typed(successAt("addAcamItem"), "text/json"),
  ),
  batch(
    "octets",
    "HTTP-01",
    "A batch is declared as application/octet-stream.",
    typed(successAt("createBatch"), "application/octet-stream"),
  ),
  batch("error-untyped", "HTTP-01", "Errors of a batch have no Content-Type.", typed(errorAt("createBatch"), "")),
  list(
    "hal-json",
    "HTTP-01",
    "The list is declared as application/hal+json.",
    typed(successAt("listBatches"), "application/hal+json"),
  ),
  list("error-page", "HTTP-01", "A refusal of the list is an HTML page.", page(errorAt("listBatches")), unreadable),
  acam("error-page", "HTTP-01", "A refusal of an item is an HTML page.", page(errorAt("addAcamItem")), unreadable),
  counterparty(
    "unauthenticated-text",
    "HTTP-01",
    "A bad token is answered in plain text.",
    answers(
      (answer, call) => answer.refusal === "token" && call.operation === "createCounterparty",
      (answer) => ({ ...answer, headers: { "content-type": "text/plain" }, text: "Unauthorized" }),
    ),
    unreadable,
  ),
  operation(
    "malformed-page",
    "HTTP-01",
    "Malformed JSON is answered with an HTML page.",
    page((answer, call) => answer.refusal === "malformed" && call.operation === "createOperation"),
    unreadable,
  ),
  batch(
    "malformed-text",
    "HTTP-01",
    "Malformed JSON is answered in plain text.",
    answers(
      (answer, call) => answer.refusal === "malformed" && call.operation === "createBatch",
      (answer) => ({ ...answer, headers: { "content-type": "text/plain" }, text: "Unexpected end of JSON input" }),
    ),
    unreadable,
  ),

  list(
    "trailing-comma",
    "HTTP-02",
    "The list ends with a comma before the last brace.",
    text(successAt("listBatches"), (it) => it.replace(/}\s*$/, ",}")),
    { also: ["BATCH-20", "BATCH-21", "BATCH-22"] },
  ),
  operation(
    "amount-nan",
    "HTTP-02",
    "Amounts with cents come out as NaN.",
    text(successAt("createOperation"), (it, call) =>
      Number.isInteger(sent(call)["currency_amount"])
        ? it
        : it.replace(/("foreign_currency_amount":\s*)[^,}\s]+/, "$1NaN"),
    ),
  ),
  operation(
    "cut-short",
    "HTTP-02",
    "An operation loses its last bytes, and the length says so.",
    text(successAt("createOperation"), (it) => it.slice(0, -12)),
  ),
  operation(
    "error-quotes-body",
    "HTTP-02",
    "The error for malformed JSON repeats it without escapes.",
    quoting,
    unreadable,
  ),
  counterparty(
    "single-quotes",
    "HTTP-02",
    "Counterparties are written with single quotes.",
    text(successAt("createCounterparty"), (it) => it.replaceAll('"', "'")),
    { also: ["CPTY-01"] },
  ),
  counterparty(
    "quotes-unescaped",
    "HTTP-02",
    "Quotes inside a text are not escaped.",
    text(successAt("createCounterparty"), (it) => it.replaceAll('\\"', '"')),
  ),
  counterparty(
    "cut-short-when-long",
    "HTTP-02",
    "Counterparties of more than 600 bytes are cut there.",
    text(successAt("createCounterparty"), (it) => Buffer.from(it).subarray(0, 600).toString()),
  ),
  acam(
    "twice",
    "HTTP-02",
    "The answer to an item comes twice in one body.",
    text(successAt("addAcamItem"), (it) => it + it),
    { also: ["ACAM-01", "ACAM-02"] },
  ),
  acam(
    "form-encoded",
    "HTTP-02",
    "The answer to an item is form-encoded.",
    text(successAt("addAcamItem"), () => "message=ACAM+item+added+successfully&status=success"),
    { also: ["ACAM-01", "ACAM-02"] },
  ),
  batch(
    "guarded",
    "HTTP-02",
    "A batch begins with a guard against being run as a script.",
    text(successAt("createBatch"), (it) => `)]}',\n${it}`),
    { also: ["BATCH-01"] },
  ),
  token(
    "bare-text",
    "HTTP-02",
    "The token is the whole body, without JSON around it.",
    answers(successAt("createToken"), (answer) => ({
      ...answer,
      text: String((answer.body as { token?: unknown }).token),
    })),
    { also: ["AUTH-01"] },
  ),
  list(
    "byte-order-mark",
    "HTTP-02",
    "The list begins with a byte order mark.",
    text(successAt("listBatches"), (it) => `\u{feff}${it}`),
    { also: ["HTTP-03", "BATCH-20"] },
  ),

  anywhere(
    "latin-1",
    "HTTP-03",
    "Everything is encoded in latin-1.",
    bytes(
      (answer) => answer.status > 0,
      (it) => Buffer.from(it, "latin1"),
    ),
    undecodable,
  ),
  anywhere(
    "errors-latin-1",
    "HTTP-03",
    "Errors are in Portuguese and encoded in latin-1.",
    all(
      messageInLatin,
      bytes(
        (answer) => answer.status >= 400,
        (it) => Buffer.from(it, "latin1"),
      ),
    ),
    undecodable,
  ),
  counterparty(
    "text-latin-1",
    "HTTP-03",
    "A counterparty is encoded in latin-1.",
    bytes(successAt("createCounterparty"), (it) => Buffer.from(it, "latin1")),
    { also: ["HTTP-02"] },
  ),
  operation(
    "text-latin-1",
    "HTTP-03",
    "An operation is encoded in latin-1.",
    bytes(successAt("createOperation"), (it) => Buffer.from(it, "latin1")),
    { also: ["HTTP-02"] },
  ),
  operation(
    "utf-16",
    "HTTP-03",
    "An operation is encoded in UTF-16, with its mark.",
    bytes(successAt("createOperation"), (it) => Buffer.from(`\u{feff}${it}`, "utf16le")),
    { also: ["HTTP-02"] },
  ),
  list(
    "utf-16",
    "HTTP-03",
    "The list is encoded in UTF-16, with its mark.",
    bytes(at("listBatches"), (it) => Buffer.from(`\u{feff}${it}`, "utf16le")),
    { also: ["HTTP-02", "BATCH-28"] },
  ),
  acam(
    "stray-byte",
    "HTTP-03",
    "The answer to an item has a byte in it that UTF-8 does not have.",
    wire(successAt("addAcamItem"), (encoded) =>
      withBytes(
        encoded,
        Buffer.concat([
          encoded.bytes.subarray(0, -1),
          Buffer.from(',"note":"caf'),
          Buffer.from([0xe9]),
          Buffer.from('"}'),
        ]),
      ),
    ),
    { also: ["HTTP-02"] },
  ),

  token("no-content", "HTTP-06", "The token call is answered with 204.", bare("createToken", 204), {
    also: ["AUTH-01"],
  }),
  counterparty(
    "no-content",
    "HTTP-06",
    "A registration is answered with 201 and nothing.",
    bare("createCounterparty", 201),
    { also: ["CPTY-01"] },
  ),
  operation("no-content", "HTTP-06", "A creation is answered with 200 and nothing.", bare("createOperation", 200), {
    also: ["OPER-02", "OPER-05", "HTTP-02"],
  }),
  acam("no-content", "HTTP-06", "An item is answered with 204.", bare("addAcamItem", 204), {
    also: ["ACAM-01", "ACAM-02"],
  }),
  acam("empty-200", "HTTP-06", "An item is answered with 200 and nothing.", bare("addAcamItem", 200), {
    also: ["ACAM-01", "ACAM-02", "HTTP-02"],
  }),
  batch("no-content", "HTTP-06", "A batch is answered with 204.", bare("createBatch", 204), {
    also: ["BATCH-01", "BATCH-03"],
  }),
  list(
    "no-content-when-empty",
    "HTTP-06",
    "An empty list is answered with 204.",
    answers(
      (answer, call) =>
        call.operation === "listBatches" && succeeded(answer) && (answer.body as { total?: unknown }).total === 0,
      ({ headers }) => ({ status: 204, headers }),
    ),
    { also: ["BATCH-20", "BATCH-21", "BATCH-22"] },
  ),
];
