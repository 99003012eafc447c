import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import {
  all,
  answers,
  isJson,
  rawResponse,
  refusalOf,
  set,
  successOf,
  withBytes,
  type Json,
  type When,
  sent,
} from "../change.ts";
import type { Answer, Call, Change, RefusalReason } from "../policy.ts";
import {
  at,
  faultsAnywhere,
  faultsAt,
  withPurposes,
  type Broken,
  type Fault,
  forSomeValues,
  inSequence,
  inState,
} from "./fault.ts";

const { createCounterparty: counterparty, createOperation: operation } = at;
const { addAcamItem: acam, createBatch: batch, listBatches: list } = at;

/**
 * Gives the responses that `when` selects another Content-Type. An empty `type` removes the header.
 */
function typedAs(type: string, when: When): Change {
  return rawResponse(when, (encoded) => {
    const { "content-type": _json, ...headers } = encoded.headers;
    return { ...encoded, headers: type === "" ? headers : { ...headers, "content-type": type } };
  });
}

/** A fault: the successes of an endpoint have another Content-Type. */
function typed(endpoint: OperationName, id: string, type: string): Fault {
  const about = `The Content-Type of a success is ${type || "missing"}.`;
  return at[endpoint].fault(id, "HTTP-01", about, typedAs(type, successOf(endpoint)));
}

/** A fault: the errors of an endpoint have another Content-Type. */
function errorTyped(endpoint: OperationName, id: string, type: string): Fault {
  const about = `The Content-Type of an error is ${type || "missing"}.`;
  return at[endpoint].fault(id, "HTTP-01", about, typedAs(type, refusalOf(endpoint)));
}

/** Gives successes this status, and no body. */
function withoutBody(endpoint: OperationName, status: number, when: When = () => true): Change {
  const isSuccess = successOf(endpoint);
  return answers(
    (answer, call) => isSuccess(answer, call) && when(answer, call),
    ({ headers }) => ({ status, headers }),
  );
}

/** A fault: all successes of an endpoint have no body. */
function bare(
  endpoint: OperationName,
  id: string,
  status: number,
  ...also: readonly RequirementId[]
): Fault {
  const about = `A success is a ${status} without a body.`;
  return at[endpoint].fault(id, ["HTTP-06", ...also], about, withoutBody(endpoint, status));
}

function bytes(when: When, change: (text: string) => Buffer): Change {
  return rawResponse(when, (encoded) => withBytes(encoded, change(encoded.bytes.toString())));
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const bom = "\u{feff}";
const cutAt600 = (text: string): string => Buffer.from(text).subarray(0, 600).toString();
function strayByte(text: string): Buffer {
  return Buffer.concat([
    Buffer.from(`${text.slice(0, -1)},"note":"caf`),
    Buffer.from([0xe9]),
    Buffer.from('"}'),
  ]);
}

const isBeyondAscii = (call: Call): boolean => !/^[\0-\x7f]*$/.test(String(sent(call)["merchant"]));

function page(answer: Answer): Answer {
  return {
    ...answer,
    headers: { ...answer.headers, "content-type": "text/html" },
    text: `<!doctype html><title>${answer.status}</title><h1>Error ${answer.status}</h1>`,
  };
}

const isForBrowser = ({ headers }: Call): boolean => headers.accept?.includes("text/html") === true;

/**
 * An error whose message repeats the body of the request without escapes, which makes the error
 * malformed JSON.
 */
function quoting(answer: Answer, call: Call): Answer {
  return {
    ...answer,
    text: `{"message":"This is not JSON: "${call.bytes.toString()}""}`,
  };
}

const isError: When = ({ status }) => status >= 400;
const inPortuguese: Change = answers(
  (answer, call) => isError(answer, call) && isJson(answer.body),
  set({ body: { message: "Requisição inválida" } }),
);

/** The requirements that an error breaks if its message cannot be read. */
const messages = [
  "AUTH-12",
  "CPTY-12",
  "OPER-17",
  "ACAM-06",
  "BATCH-08",
  "BATCH-28",
  "HTTP-02",
] as const;
const unreadable: Broken = ["HTTP-01", ...messages];
const undecodable: Broken = ["HTTP-03", ...messages];
const ofList = ["BATCH-20", "BATCH-21", "BATCH-22"] as const;
const brokenList: Broken = ["HTTP-02", ...ofList];
const marked: Broken = ["HTTP-02", "HTTP-03", "BATCH-20"];
const noJson: Broken = ["HTTP-02", ...messages];
const anywhere = faultsAnywhere("all-");

export const byteFaults: readonly Fault[] = [
  typed("createToken", "text-plain", "text/plain"),
  typed("createOperation", "untyped", ""),
  errorTyped("createBatch", "error-untyped", ""),
  list.fault("error-page", unreadable, "An error is an HTML page.", list.refuses("any", page)),
  list.fault(
    "page-for-browsers",
    ["HTTP-01", "HTTP-02", ...ofList],
    "A browser gets the list as a page.",
    answers((answer, call) => successOf("listBatches")(answer, call) && isForBrowser(call), page),
    forSomeValues,
  ),

  list.fault(
    "trailing-comma",
    brokenList,
    "A comma precedes the last brace.",
    list.writes((it) => it.replace(/}\s*$/, ",}")),
  ),
  operation.fault(
    "error-quotes-body",
    noJson,
    "The error for malformed JSON repeats it.",
    operation.refuses("malformed", quoting),
    forSomeValues,
  ),
  counterparty.fault(
    "quotes-unescaped",
    "HTTP-02",
    "Quotes are not escaped.",
    counterparty.writes((it) => it.replaceAll('\\"', '"')),
    forSomeValues,
  ),
  counterparty.fault(
    "cut-short-when-long",
    "HTTP-02",
    "Counterparties are cut after 600 bytes.",
    counterparty.writes(cutAt600),
    forSomeValues,
  ),
  list.fault(
    "byte-order-mark",
    marked,
    "The list begins with a byte order mark.",
    list.writes((it) => bom + it),
  ),

  anywhere.fault(
    "latin-1",
    undecodable,
    "All bodies are encoded in Latin-1.",
    bytes(() => true, latin1),
  ),
  anywhere.fault(
    "errors-latin-1",
    undecodable,
    "Errors are in Latin-1.",
    all(inPortuguese, bytes(isError, latin1)),
    forSomeValues,
  ),
  acam.fault(
    "stray-byte",
    ["HTTP-03", "HTTP-02"],
    "The response to an item for a merchant beyond ASCII has a byte that is not UTF-8.",
    acam.writes((text, call) => (isBeyondAscii(call) ? strayByte(text) : text)),
    forSomeValues,
  ),

  bare("createToken", "no-content", 204, "AUTH-01"),
  bare("createOperation", "no-content", 200, "OPER-02", "OPER-05", "HTTP-02"),
  list.fault(
    "not-modified",
    "HTTP-06",
    "From the second request on, the list is a 304.",
    withoutBody("listBatches", 304, (_answer, { nth }) => nth > 1),
    inSequence,
  ),
  list.fault(
    "no-content-when-empty",
    ["HTTP-06", ...ofList],
    "An empty list is a 204.",
    withoutBody("listBatches", 204, ({ body }) => (body as Json)["total"] === 0),
    inState,
  ),
];

/**
 * Wrong shapes of an error, each in words and as a function of the right message and the status.
 */
const shapes = {
  renamed: ["has the shape { error }", (message) => ({ error: message })],
  number: ["has a number as its message", (_message, status) => ({ message: status })],
  object: ["has an object as its message", (message) => ({ message: { en: message } })],
  list: ["has an array as its message", (message) => ({ message: [message] })],
  null: ["has a null message", () => ({ message: null })],
  errors: [
    "has the shape { errors: [{ detail }] }",
    (message) => ({ errors: [{ detail: message }] }),
  ],
  nested: ["has the shape { error: { message } }", (message) => ({ error: { message } })],
  string: ["is a string", (message) => message],
  array: ["is an array", (message) => [{ message }]],
  empty: ["is {}", () => ({})],
} as const satisfies Record<
  string,
  readonly [words: string, bodyOf: (message: string, status: number) => unknown]
>;

/** Gives an error one of the wrong shapes. */
function shaped(answer: Answer, shape: keyof typeof shapes): Answer {
  const { message } = answer.body as { readonly message?: unknown };
  const [, bodyOf] = shapes[shape];
  return { ...answer, body: bodyOf(String(message), answer.status) };
}

const causes = {
  token: "a bad token",
  invalid: "invalid data",
  malformed: "malformed JSON",
  operation: "an unknown operation",
  400: "bad data",
} as const satisfies Partial<Record<RefusalReason | 400, string>>;

const errorRules = {
  createToken: "AUTH-12",
  createCounterparty: "CPTY-12",
  createOperation: "OPER-17",
  addAcamItem: "ACAM-06",
  createBatch: "BATCH-08",
  listBatches: "BATCH-28",
} as const satisfies Record<OperationName, RequirementId>;

const key = faultsAt("createToken", "key-");

/**
 * A fault: errors of an endpoint have a wrong shape. `cause` limits this to errors for one reason;
 * the cause `400` stands for all errors with status 400.
 */
function error(
  endpoint: OperationName,
  id: string,
  shape: keyof typeof shapes,
  cause?: keyof typeof causes,
): Fault {
  const name = cause === undefined ? "Every error" : `The error for ${causes[cause]}`;
  const { fault } = endpoint === "createToken" ? key : at[endpoint];
  const change = answers(isErrorOf(endpoint, cause), (answer) => shaped(answer, shape));
  const isRare = cause !== undefined && cause !== 400;
  return fault(
    id,
    errorRules[endpoint],
    `${name} ${shapes[shape][0]}.`,
    change,
    isRare ? forSomeValues : {},
  );
}

function isErrorOf(endpoint: OperationName, cause: keyof typeof causes | undefined): When {
  if (cause === undefined) return refusalOf(endpoint);
  if (cause !== 400) return refusalOf(endpoint, cause);
  return ({ status }, call) => status === 400 && call.operation === endpoint;
}

function forMissing(answer: Answer, { headers }: Call): Answer {
  return headers["x-api-key"] === undefined ? { ...answer, body: { code: "NO_KEY" } } : answer;
}
function forMissingToken(answer: Answer, { headers }: Call): Answer {
  return headers.authorization === undefined ? { ...answer, body: { code: "NO_TOKEN" } } : answer;
}
const notEfx = (): Answer => ({ status: 409, headers: {}, body: { code: "NOT_EFX" } });

/**
 * The answer of some frameworks to a browser whose form has mistakes: neither a refusal nor a
 * success.
 */
function toForm(answer: Answer): Answer {
  return {
    status: 302,
    headers: { location: "/form", "content-type": "text/html" },
    text: "<html><body>Found</body></html>",
    refusal: answer.refusal,
  };
}

export const errorShapeFaults: readonly Fault[] = [
  counterparty.fault(
    "invalid-redirected",
    "CPTY-12",
    "An invalid counterparty is redirected to a page.",
    counterparty.refuses("invalid", toForm),
  ),
  acam.fault(
    "invalid-redirected",
    "ACAM-06",
    "An invalid item is redirected to a page.",
    acam.refuses("invalid", toForm),
  ),
  batch.fault(
    "invalid-redirected",
    "BATCH-08",
    "An invalid batch is redirected to a page.",
    batch.refuses("invalid", toForm),
  ),
  error("createToken", "error-renamed", "renamed"),
  error("createCounterparty", "malformed-error-renamed", "renamed", "malformed"),
  error("createOperation", "invalid-error-renamed", "renamed", 400),
  error("createOperation", "malformed-error-string", "string", "malformed"),
  error("addAcamItem", "error-renamed", "renamed"),
  error("addAcamItem", "invalid-error-object", "object", "invalid"),
  error("createBatch", "malformed-error-renamed", "renamed", "malformed"),
  error("listBatches", "error-renamed", "renamed"),
  list.fault(
    "error-only-for-missing",
    "BATCH-28",
    "The error for a missing token has no message.",
    list.refuses("token", forMissingToken),
    forSomeValues,
  ),
  key.fault(
    "error-only-for-missing",
    "AUTH-12",
    "The error for a missing key has no message.",
    key.refuses("any", forMissing),
    forSomeValues,
  ),
  acam.fault(
    "purpose-error-code",
    "ACAM-06",
    "The error for a purpose is a code.",
    acam.refuses("purpose", notEfx),
    {
      ...withPurposes,
      ...forSomeValues,
    },
  ),
];
