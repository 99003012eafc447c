import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Run } from "../../model/run.ts";
import { fileOf, harEntry, idsWith, options, type Entry } from "../testing/har.ts";
import { judgeRecordings } from "./recordings.ts";

/** Recordings in the shape in which tools write them, with made-up data. */

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly received: string | Uint8Array;
  readonly receivedHeaders?: Readonly<Record<string, string>>;
}

const origin = "https://127.0.0.1:8443";
const fields = (headers: Readonly<Record<string, string>>): readonly object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const judgedFile = async (path: string): Promise<Run> =>
  (await judgeRecordings(options, { files: [{ path, name: "it.har" }] })).run;

const judgedEntries = (entries: readonly object[], creator: string): Promise<Run> =>
  judgedFile(fileOf(JSON.stringify({ log: { version: "1.2", creator: { name: creator }, pages: [], entries } })));

const list = '{"batches":[],"count":0,"total":0}';
const counterparty = {
  name: "Zoë Müller",
  external_id: "client-1",
  counterparty_address: { address: "Rua A 1", country: "BR", city: "Recife", zip_code: "50000000", state: "PE" },
  bank_account: { bank_name: "Banco", swift_code: "DEUTDEFF", bank_country: "DE", account_number: "12345678" },
};
const registration: Sent = {
  method: "POST",
  path: "/customers/customer-1/counterparty",
  body: JSON.stringify(counterparty),
  status: 201,
  received: JSON.stringify({ id: "cp-1", ...counterparty }),
};
const listing: Sent = { path: "/batches", received: list };

describe("mitmproxy", () => {
  /** As Python decodes with "surrogateescape". */
  const textOf = (body: string | Uint8Array): string =>
    typeof body === "string"
      ? body
      : [...body].map((byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join("");

  const entryOf = (sent: Sent, over: object = {}): object => {
    const { method = "GET", path, body, status = 200, received } = sent;
    const size = Buffer.from(received).length;
    return {
      startedDateTime: "2026-01-05T12:00:00.001725+00:00",
      time: 34.163713455200195,
      request: {
        method,
        url: origin + path,
        httpVersion: "HTTP/1.1",
        cookies: [{ name: "theme", value: "dark" }],
        headers: fields({
          Host: "127.0.0.1:8443",
          Authorization: "Bearer made-up-token-1",
          ...(body === undefined
            ? {}
            : { "Content-Type": "application/json", "Content-Length": String(Buffer.from(body).length) }),
        }),
        queryString: [],
        headersSize: 132,
        bodySize: body === undefined ? 0 : Buffer.from(body).length,
        ...(method === "POST"
          ? { postData: { mimeType: "application/json", text: textOf(body ?? ""), params: [] } }
          : {}),
      },
      response: {
        status,
        statusText: "OK",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: fields({
          "content-type": "application/json",
          ...(sent.receivedHeaders ?? { "content-length": String(size) }),
        }),
        content: { size, compression: 0, mimeType: "application/json", text: textOf(received) },
        redirectURL: "",
        headersSize: 243,
        bodySize: size,
      },
      cache: {},
      timings: { connect: 0.74, ssl: -1.0, send: 1.05, receive: 1.02, wait: 11.62 },
      serverIPAddress: "127.0.0.1",
      ...over,
    };
  };
  const notKept = { size: 0, compression: 0, mimeType: "application/json", text: "" };
  const withContent = (entry: object, content: object): object => {
    const { response } = entry as { readonly response: object };
    return { ...entry, response: { ...response, content, bodySize: 0 } };
  };

  /** A genuine one: mitmdump before the reference server, and a client that breaks two rules. Only white space is gone. */
  const genuine = fileURLToPath(new URL("../testing/mitmproxy.har", import.meta.url));

  test("a recording of a server without a fault has none", async () => {
    const run = await judgedFile(genuine);
    expect(idsWith(run, "fail", "warn")).toEqual([]);
    const shown = ["AUTH-01", "CPTY-01", "CPTY-07", "OPER-01", "ACAM-01", "BATCH-01", "BATCH-20", "BATCH-27"];
    expect(idsWith(run, "pass")).toEqual(expect.arrayContaining(shown));
    expect(run).toMatchObject({ requests: 9, warnings: [] });
    expect(run.client?.map(({ text }) => text)).toEqual([
      "with /currency_pair left out",
      "without an Authorization header",
    ]);
  });

  test("bytes that are not UTF-8 are found in a response", async () => {
    const sent = { ...listing, received: Buffer.from(list.replace("}", ',"note":"caf\u00e9"}'), "latin1") };
    expect(idsWith(await judgedEntries([entryOf(sent)], "mitmproxy"), "fail")).toEqual(["HTTP-03"]);
  });

  test("a request with such bytes cannot be classified", async () => {
    const body = Buffer.from(JSON.stringify(counterparty), "latin1");
    const received = JSON.stringify({ id: "cp-1", ...counterparty, name: "Zo? M?ller" });
    const run = await judgedEntries([entryOf({ ...registration, body, received })], "mitmproxy");
    expect(idsWith(run, "fail", "warn")).toEqual([]);
    expect(run.client).toEqual([]);
  });

  test("a body that it did not keep is not judged", async () => {
    const chunked = entryOf(
      { ...listing, receivedHeaders: { "transfer-encoding": "chunked" } },
      { timings: { receive: 0 } },
    );
    const streamed = entryOf(registration);
    const { request } = streamed as { readonly request: object };
    const run = await judgedEntries(
      [
        withContent(entryOf(listing), notKept),
        withContent(chunked, notKept),
        withContent({ ...streamed, request: { ...request, postData: { mimeType: "", text: null } } }, notKept),
      ],
      "mitmproxy",
    );
    expect(idsWith(run, "fail", "warn")).toEqual([]);
    expect(run.client).toEqual([]);
    expect(run.warnings).toContain("3 response bodies not judged: not in the recording.");
  });

  test("a body that was empty is", async () => {
    const empties = [{ "content-length": "0" }, { "transfer-encoding": "chunked" }];
    for (const receivedHeaders of empties) {
      const run = await judgedEntries([entryOf({ ...listing, received: "", receivedHeaders })], "mitmproxy");
      expect(idsWith(run, "fail")).toEqual(["HTTP-06"]);
    }
  });

  test("a connection that broke has no response", async () => {
    const response = { status: 0, headers: [], content: {}, bodySize: -1, _transferSize: 0, _error: "server closed" };
    const run = await judgedEntries([entryOf(listing), entryOf(listing, { response })], "mitmproxy");
    expect(run.warnings).toContain("1 entry not judged: there is no response.");
  });
});

test("k6 Studio: bodies of requests have a character for each byte, and those of responses are base64", async () => {
  const entryOf = ({ method = "GET", path, body, status = 200, received }: Sent): object => ({
    startedDateTime: "2026-01-05T12:00:00.001Z",
    request: {
      method,
      url: origin + path,
      httpVersion: "HTTP/1.1",
      headers: fields({
        authorization: "Bearer made-up-token-1",
        "content-type": "application/json",
        ...(body === undefined ? {} : { "content-length": String(Buffer.from(body).length) }),
      }),
      queryString: [],
      ...(body === undefined
        ? {}
        : { postData: { mimeType: "application/json", text: Buffer.from(body).toString("latin1") } }),
      cookies: [],
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status,
      statusText: "OK",
      httpVersion: "HTTP/1.1",
      headers: fields({ "content-type": "application/json" }),
      content: { size: received.length, text: Buffer.from(received).toString("base64"), encoding: "base64" },
      cookies: [],
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
    },
    pageref: "Default",
    cache: {},
    timings: { wait: 0, receive: 0 },
    time: 0,
  });
  const unanswered = { ...entryOf(listing), response: undefined };
  const run = await judgedEntries([...[registration, listing].map(entryOf), unanswered], "k6-studio");
  expect(idsWith(run, "fail", "warn")).toEqual([]);
  // A list takes no body: a media type alone leaves nothing open.
  expect(idsWith(run, "pass")).toEqual(expect.arrayContaining(["CPTY-07", "BATCH-20", "HTTP-03"]));
  expect(run.warnings).toEqual(["1 entry not judged: there is no response."]);
  const other = { ...registration, received: JSON.stringify({ id: "cp-1", ...counterparty, name: "Zoe Muller" }) };
  expect(idsWith(await judgedEntries([entryOf(other)], "k6-studio"), "fail", "warn")).toEqual(["CPTY-07"]);
});

describe("Playwright", () => {
  const shaped = (entry: Entry, content: object, over: object = {}): object => {
    const whole = harEntry(entry) as { readonly response: object };
    return {
      ...whole,
      response: { ...whole.response, content: { mimeType: "application/json", ...content } },
      ...over,
    };
  };
  const get: Entry = {
    to: "GET /batches",
    headers: { Authorization: "Bearer made-up-token-1" },
    body: JSON.parse(list),
  };
  const nameOf = (body: string): string => `${createHash("sha1").update(body).digest("hex")}.json`;

  test("bodies in files beside the recording are read, and no other files", async () => {
    const faulty = '{"batches":[],"count":0}';
    const names = [nameOf(list), nameOf(faulty), nameOf("gone"), "it.har", "../it.har"];
    const entries = names.map((name) => shaped(get, { size: 34, _file: name }));
    const path = fileOf(JSON.stringify({ log: { version: "1.2", creator: { name: "Playwright" }, entries } }));
    for (const body of [list, faulty]) writeFileSync(join(dirname(path), nameOf(body)), body);
    const run = await judgedFile(path);
    expect(idsWith(run, "fail")).toEqual(["BATCH-22"]);
    expect(run.requirements.find(({ id }) => id === "BATCH-22")?.findings[0]?.message).toContain(
      "/total is not present",
    );
    expect(run.warnings).toEqual(["3 response bodies not judged: not in the recording, nor in a file beside it."]);
  });

  test("the body of a request in a file is read", async () => {
    const body = JSON.stringify(counterparty);
    const answer = { id: "cp-1", ...counterparty, name: "Zoe" };
    const entry = harEntry({ to: "POST /customers/c/counterparty", sent: counterparty, status: 201, body: answer });
    const { request } = entry as { readonly request: object };
    const post = { postData: { mimeType: "application/json", text: "", params: [], _file: nameOf(body) } };
    const path = fileOf(JSON.stringify({ log: { entries: [{ ...entry, request: { ...request, ...post } }] } }));
    expect(idsWith(await judgedFile(path), "fail", "warn")).toEqual([]);
    writeFileSync(join(dirname(path), nameOf(body)), body);
    expect(idsWith(await judgedFile(path), "fail", "warn")).toEqual(["CPTY-07"]);
  });

  test("what a test made up, or never sent, is not judged", async () => {
    const entries = [
      shaped(get, { size: 34, text: list }),
      shaped({ ...get, body: {} }, { size: 2, text: "{}" }, { _wasFulfilled: true }),
      shaped({ ...get, status: -1 }, { size: -1, mimeType: "x-unknown" }, { _wasAborted: true, time: -1 }),
    ];
    const run = await judgedEntries(entries, "Playwright");
    expect(idsWith(run, "fail")).toEqual([]);
    expect(run.warnings).toEqual([
      "1 entry not judged: the test that was recorded made the response up.",
      "1 entry not judged: there is no response.",
    ]);
  });

  test("bytes without a media type are in no recording", async () => {
    const entry = harEntry({ to: "POST /corporate/operation", status: 200, body: { operation_id: "op-1" } });
    const { request } = entry as { readonly request: object };
    const post = { postData: { mimeType: "application/octet-stream", text: "", params: [] }, bodySize: -1 };
    const run = await judgedEntries([{ ...entry, request: { ...request, ...post } }], "Playwright");
    expect(idsWith(run, "fail")).not.toContain("OPER-33");
    expect(run.client?.map(({ text }) => text)).not.toContain("with an empty body");
  });

  test("an archive is named as one", async () => {
    await expect(judgedFile(fileOf(Buffer.from("PK\u0003\u0004\u0014\0")))).rejects.toThrow("it.har: is a zip archive");
  });
});
