// What can be wrong or odd about how responses are written: their type, encoding, JSON and framing.
import { gzipSync } from "node:zlib";
import {
  all,
  answers,
  isJson,
  rawResponse,
  refusalOf,
  sent,
  set,
  successOf,
  withBytes,
  type Json,
  type When,
  htmlPage,
} from "../change.ts";
import type { Answer, Call, Change, Policy, RawResponse } from "../policy.ts";
import {
  at,
  deviation as anywhere,
  type Broken,
  type Deviation,
  type Endpoint,
} from "./deviation.ts";
import { messages } from "./errors.ts";

const { token, counterparty, operation, acam, batch, list } = at;

/** Gives the responses that `when` selects another Content-Type, or none. */
function typedAs(type: string | undefined, when: When): Change {
  return rawResponse(when, (encoded) => {
    const { "content-type": _json, ...headers } = encoded.headers;
    return {
      ...encoded,
      headers: type === undefined ? headers : { ...headers, "content-type": type },
    };
  });
}

/** Gives successes this status, and no body. */
function withoutBody({ succeeds }: Endpoint, status: number, when?: (call: Call) => boolean) {
  return succeeds(({ headers }) => ({ status, headers }), when);
}

function bytes(when: When, change: (text: string) => Buffer): Change {
  return rawResponse(when, (encoded) => withBytes(encoded, change(encoded.bytes.toString())));
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const isForBrowser = ({ headers }: Call): boolean => headers.accept?.includes("text/html") === true;
const isBeyondAscii = (call: Call): boolean => !/^[\0-\x7f]*$/.test(String(sent(call)["merchant"]));
function strayByte(text: string): Buffer {
  return Buffer.concat([latin1(`${text.slice(0, -1)},"note":"caf\u00e9`), Buffer.from('"}')]);
}

const asPage = ({ status, headers }: Answer): Answer => htmlPage(status, headers);

const ofList = ["BATCH-20", "BATCH-21", "BATCH-22"] as const;
const undecodable: Broken = ["HTTP-03", ...messages];

const faults: readonly Deviation[] = [
  token.deviation(
    "token-text-plain",
    "The Content-Type of a success is text/plain.",
    typedAs("text/plain", successOf("createToken")),
    { breaks: "HTTP-01" },
  ),
  batch.deviation(
    "batch-error-untyped",
    "The Content-Type of an error is missing.",
    typedAs(undefined, refusalOf("createBatch")),
    { breaks: "HTTP-01" },
  ),
  list.deviation("list-error-page", "An error is an HTML page.", list.refuses("any", asPage), {
    breaks: ["HTTP-01", ...messages],
  }),
  list.deviation(
    "list-page-for-browsers",
    "A browser gets the list as a page.",
    list.succeeds(asPage, isForBrowser),
    { breaks: ["HTTP-01", "HTTP-02", ...ofList], when: "data" },
  ),
  list.deviation(
    "list-trailing-comma",
    "A comma precedes the last brace.",
    list.writes((it) => it.replace(/}\s*$/, ",}")),
    { breaks: ["HTTP-02", ...ofList] },
  ),
  operation.deviation(
    "operation-error-quotes-body",
    "The error for malformed JSON repeats it.",
    operation.refuses("malformed", (answer, call) => ({
      ...answer,
      text: `{"message":"This is not JSON: "${call.bytes.toString()}""}`,
    })),
    { breaks: ["HTTP-02", ...messages], when: "data" },
  ),
  counterparty.deviation(
    "counterparty-quotes-unescaped",
    "Quotes are not escaped.",
    counterparty.writes((it) => it.replaceAll('\\"', '"')),
    { breaks: "HTTP-02", when: "data" },
  ),
  counterparty.deviation(
    "counterparty-cut-short-when-long",
    "Counterparties are cut after 600 bytes.",
    counterparty.writes((it) => Buffer.from(it).subarray(0, 600).toString()),
    { breaks: "HTTP-02", when: "data" },
  ),
  list.deviation(
    "list-byte-order-mark",
    "The list begins with a byte order mark.",
    list.writes((it) => `\u{feff}${it}`),
    { breaks: ["HTTP-02", "HTTP-03", "BATCH-20"] },
  ),
  anywhere(
    "all-latin-1",
    "All bodies are encoded in Latin-1.",
    bytes(() => true, latin1),
    { breaks: [...undecodable, "CPTY-06"], when: "data" },
  ),
  acam.deviation(
    "acam-stray-byte",
    "The response to an item for a merchant beyond ASCII has a byte that is not UTF-8.",
    acam.writes((text, call) => (isBeyondAscii(call) ? strayByte(text) : text)),
    { breaks: ["HTTP-03", "HTTP-02"], when: "data" },
  ),
  token.deviation(
    "token-no-content",
    "A success is a 204 without a body.",
    withoutBody(token, 204),
    {
      breaks: ["HTTP-06", "AUTH-01"],
    },
  ),
  list.deviation(
    "list-no-content-when-empty",
    "An empty list is a 204.",
    withoutBody(list, 204, ({ store }) => store.batches.length === 0),
    { breaks: ["HTTP-06", ...ofList], when: "later" },
  ),
];

/** The JSON text of a body, with each number as `spell` writes it. `spell` must keep the value. */
function withNumbers(spell: (number: number) => string): (text: string) => string {
  return (text) =>
    text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[-+.\dE]*/gi, (found) =>
      found.startsWith('"') ? found : spell(Number(found)),
    );
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJson(value)) return value;
  const members = Object.entries(value).filter(([, inside]) => inside !== null);
  return Object.fromEntries(members.map(([name, inside]) => [name, withoutNulls(inside)]));
}

function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function escaped(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.replaceAll(/\\u[0-9a-f]{4}|\\.|[a-z]/g, (found) =>
      found.startsWith("\\") ? found : unicode(found),
    ),
  );
}

/** Adds members to an object as they are written. An empty object gets none. */
function withExtra(members: string): (text: string) => string {
  return (text) =>
    text.startsWith("{") && text !== "{}" ? `${text.slice(0, -1)},${members}}` : text;
}

function spelt(id: string, about: string, spell: (text: string) => string): Deviation {
  const change: Change = (base) => ({
    serialise: (body, call) => spell(base.serialise(body, call)),
  });
  return anywhere(id, about, change, { group: "spelling" });
}

const more = {
  version: 3,
  tags: ["fx", null, 1.5],
  meta: { source: "core", nested: { deep: [{}] } },
  note: null,
};

const spellings: readonly Deviation[] = [
  spelt(
    "json-tabs",
    "JSON has tabs and line breaks.",
    (it) => `\r\n${JSON.stringify(JSON.parse(it), undefined, "\t")}\r\n\t `,
  ),
  spelt("json-escaped", "Lower-case letters are escaped, in member names too.", escaped),
  spelt(
    "json-point-zero",
    "Whole numbers end with .0, integers too.",
    withNumbers((it) => (Number.isInteger(it) && it < 1e15 ? `${it}.0` : String(it))),
  ),
  spelt(
    "json-exponents-capital",
    "Numbers have exponents with a capital E.",
    withNumbers((it) => it.toExponential().replace("e", "E")),
  ),
  spelt(
    "json-extra-twice",
    "A name stands twice among extra members.",
    withExtra('"more":1,"more":2'),
  ),
  spelt(
    "json-extra-half-character",
    "An extra member has half a character.",
    withExtra(String.raw`"more":"\ud800"`),
  ),
  spelt("blind-empty-members-left-out", "Members without a value are left out.", (it) =>
    JSON.stringify(withoutNulls(JSON.parse(it))),
  ),
  anywhere(
    "members-more",
    "All responses have additional members.",
    answers(
      (answer) => answer.body !== undefined,
      (answer) => ({ ...answer, body: { ...more, ...(answer.body as Json) } }),
    ),
  ),
];

function headers(change: (headers: RawResponse["headers"]) => RawResponse["headers"]): Change {
  return rawResponse(
    () => true,
    (raw) => ({ ...raw, headers: change(raw.headers) }),
  );
}

function typed(id: string, what: string, type: string): Deviation {
  const change = headers((given) =>
    given["content-type"] === "application/json" ? { ...given, "content-type": type } : given,
  );
  return anywhere(id, `The media type ${what}.`, change, { group: "media type" });
}

const compressed: Change = ({ deliver }: Policy) => ({
  deliver: (raw, response, call) => {
    const isWelcome = /\bgzip\b/.test(call.headers["accept-encoding"]?.toString() ?? "");
    if (!isWelcome || raw.bytes.length === 0) return deliver(raw, response, call);
    const zipped = withBytes(raw, gzipSync(raw.bytes, { level: 1 }));
    const encoding = { "content-encoding": "gzip", vary: "accept-encoding" };
    return deliver({ ...zipped, headers: { ...zipped.headers, ...encoding } }, response, call);
  },
});

const chunked: Change = () => ({
  deliver: (raw, response) => {
    const { "content-length": _length, ...others } = raw.headers;
    const half = Math.ceil(raw.bytes.length / 2);
    response.writeHead(raw.status, others);
    response.write(raw.bytes.subarray(0, half));
    response.end(raw.bytes.subarray(half));
  },
});

const ofFraming = { group: "framing" } as const;

const legalHeaders: readonly Deviation[] = [
  typed("type-capitals", "has upper-case letters", "Application/JSON; charset=UTF-8"),
  typed("type-empty-parameter", "ends with a semicolon", "application/json;"),
  anywhere(
    "coded-identity",
    "Responses name the content coding identity.",
    headers(set({ "content-encoding": "identity" })),
    { group: "media type" },
  ),
  anywhere("chunked", "Responses are chunked, without Content-Length.", chunked, ofFraming),
  anywhere(
    "chunked-gzip",
    "Responses are compressed and chunked.",
    all(chunked, compressed),
    ofFraming,
  ),
  anywhere(
    "reason-phrases-empty",
    "Status lines have no reason phrase.",
    rawResponse(() => true, set({ reason: "" })),
  ),
  anywhere(
    "request-id-absent",
    "Responses have no x-request-id.",
    headers(({ "x-request-id": _id, ...given }) => given),
  ),
];

export const json: readonly Deviation[] = [...faults, ...spellings, ...legalHeaders];
