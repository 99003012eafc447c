import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Json } from "../../spec/json.ts";
import { harEntry, type EntryInShort } from "./testing/har.ts";
import { watchedOf } from "./har-entry.ts";

/** The entry as it is after it was written to a file and read again. */
const asJson = (entry: object): Json => JSON.parse(JSON.stringify(entry)) as Json;

const list = '{"count":0}';
const get: EntryInShort = { to: "GET /batches", body: list };
function fields(headers: Readonly<Record<string, string>>) {
  return Object.entries({ "Content-Type": "application/json", ...headers }).map(
    ([name, value]) => ({
      name,
      value,
    }),
  );
}

/** A list whose body stands in the entry as a tool records it. */
function received(
  content: object,
  headers: Readonly<Record<string, string>> = {},
  over: EntryInShort["over"] = {},
): EntryInShort {
  return {
    ...get,
    over,
    response: { headers: fields(headers), content: { mimeType: "application/json", ...content } },
  };
}
function inBase64(bytes: Buffer, coding: string): EntryInShort {
  return received(
    { size: bytes.length, encoding: "base64", text: bytes.toString("base64") },
    { "Content-Encoding": coding },
  );
}

/** A creation whose body stands in the entry as a tool records it. */
function sent(
  postData: object | undefined,
  headers: Readonly<Record<string, string>> = {},
  bodySize = -1,
): EntryInShort {
  return {
    to: "POST /batches",
    body: list,
    over: {
      request: {
        method: "POST",
        url: "https://fx.test/api/batches",
        headers: fields(headers),
        bodySize,
        ...(postData && { postData: { mimeType: "application/json", ...postData } }),
      },
    },
  };
}

const files: Readonly<Record<string, string>> = { "there.json": '{"count":1}' };
const attached = (name: string): Buffer | undefined =>
  files[name] === undefined ? undefined : Buffer.from(files[name]);
function decodedText(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("latin1");
}

/**
 * What is read from an entry: why it is not judged, or what was sent, after `>`, or what came back,
 * with `(bytes)` if the bytes are known.
 */
function madeOf(entry: EntryInShort): string {
  const watched = watchedOf(asJson(harEntry(entry)), "it.har, entry 1", attached);
  if (typeof watched === "string") return watched;
  const { request, response, withoutRequestBody, withBytes } = watched;
  if (request.method === "POST")
    return withoutRequestBody ? "> unknown" : `> ${decodedText(request.body)}`;
  if (response.defect !== undefined) return `${response.defect.kind}: ${response.defect.text}`;
  return `${decodedText(response.body)}${withBytes ? " (bytes)" : ""}`;
}

const missing = "missing: not in the recording";
const fromCache = "the response came from a cache";
const conditional = { "If-None-Match": '"1"' };

test.each<[what: string, entry: EntryInShort, made: string]>([
  ["a text", get, list],
  [
    "content that is still compressed with gzip",
    inBase64(gzipSync(list), "gzip"),
    `${list} (bytes)`,
  ],
  ["no content", received({ size: 20 }), missing],
  ["no content, as there was no body", { ...get, body: undefined, status: 204 }, ""],
  ["no response", { ...get, over: { response: undefined } }, "there is no response"],
  [
    "another scheme",
    { ...get, over: { request: { method: "GET", url: "wss://fx.test/batches" } } },
    "no HTTP request",
  ],
  ["a preflight", { ...get, to: "OPTIONS /batches" }, "a browser's OPTIONS request"],
  ["Chromium: a copy of the cache", { ...get, over: { _fromCache: "disk" } }, fromCache],
  [
    "a conditional request",
    { ...get, headers: conditional, status: 304, body: undefined },
    fromCache,
  ],
  ["Safari: a copy of the cache", { ...get, over: { _fetchType: "Disk Cache" } }, fromCache],
  [
    "Playwright: a copy of the cache",
    { ...get, response: { _transferSize: 0, bodySize: -338 } },
    fromCache,
  ],
  [
    "Playwright: a response that a test made up",
    { ...get, over: { _wasFulfilled: true } },
    "the test that was recorded made the response up",
  ],
  ["Playwright: a request that was aborted", { ...get, status: -1 }, "there is no response"],
  [
    "Playwright: a body in a file",
    received({ size: 11, _file: "there.json" }),
    '{"count":1} (bytes)',
  ],
  ["mitmproxy: a byte that is not UTF-8", received({ text: "caf\udce9" }), "caf\u00e9 (bytes)"],
  [
    "mitmproxy: a body that it did not keep",
    received({ size: 0, text: "" }, { "content-length": "34" }),
    missing,
  ],
  [
    "mitmproxy: a body of which no end came",
    received(
      { size: 0, text: "" },
      { "transfer-encoding": "chunked" },
      { timings: { receive: 0 } },
    ),
    missing,
  ],
  ["mitmproxy: an empty body", received({ size: 0, text: "" }, { "content-length": "0" }), ""],
  ["mitmproxy: a request that it did not keep", sent({ text: null }), "> unknown"],
  ["text", sent({ text: "caf\u00e9" }), "> caf\u00c3\u00a9"],
  ["a request that was not recorded", sent(undefined, { "content-length": "90" }), "> unknown"],
  ["a request with an empty body, by its size", sent({ text: "" }, {}, 0), "> "],
  ["a request of which no size is known", sent(undefined), "> unknown"],
  [
    "a request with a media type whose body was left out",
    sent(undefined, { "content-type": "application/json" }, 0),
    "> unknown",
  ],
  ["Firefox: a text that is called base64", received({ text: list, encoding: "base64" }), list],
])("%s", (_, entry, made) => {
  expect(madeOf(entry)).toBe(made);
});

test("what may be text, or a character for each byte, is not read", () => {
  const text = "caf\u00c3\u00a9";
  expect(madeOf(sent({ text }))).toBe("> unknown");
  expect(madeOf(received({ text }))).toMatch(/^missing: text, or a character for each byte/);
});

test("the media type beside the headers counts where there are none, and parts of the request line are no headers", () => {
  const entry = harEntry({
    ...get,
    headers: { ":path": "/batches" },
    response: { headers: [], content: { mimeType: "text/html" } },
  });
  const watched = watchedOf(asJson(entry), "it.har, entry 1", attached);
  expect(watched).toMatchObject({
    request: { headers: [] },
    response: { headers: [["content-type", "text/html"]] },
  });
});

test("a status that no response has is left out, and a time that no exchange takes counts as none", () => {
  const status = (value: number) =>
    watchedOf(asJson(harEntry({ ...get, response: { status: value } })), "1", attached);
  expect([status(200.5), status(1e9)]).toEqual(["no HTTP request", "no HTTP request"]);
  const took = (time: number) => {
    const watched = watchedOf(asJson({ ...harEntry(get), time }), "1", attached);
    return typeof watched === "string" ? watched : watched.response.took;
  };
  expect([took(12.5), took(1e308)]).toEqual([12.5, 0]);
});
