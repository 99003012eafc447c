import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sound } from "../../model/testing/exchanges.ts";
import {
  base,
  bearer,
  create,
  created,
  fileOf,
  harEntry,
  harOf,
  idsWith,
  judged,
  judgedFile,
  list,
  operation,
  refusal,
  type EntryInShort,
} from "./testing/har.ts";

function batchCreated(id: string, sent: object, more: object = {}): EntryInShort {
  return {
    to: "POST /batches",
    headers: bearer,
    sent,
    status: 201,
    body: { id, ...more },
  };
}

function listOf(...batches: readonly object[]): EntryInShort {
  return {
    ...list,
    body: { batches, count: batches.length, total: batches.length },
  };
}

test("traffic without a violation is partial at best, and what was not seen is skipped", async () => {
  const run = await judged([list, create(operation, { body: created() })]);
  expect(run).toMatchObject({
    outcome: "partial",
    complete: false,
    requests: 2,
    target: { baseUrl: base },
  });
  expect(run.gate.pass).toBe(true);
  expect(idsWith(run, "pass")).toEqual(
    expect.arrayContaining(["BATCH-20", "OPER-01", "OPER-06", "HTTP-01"]),
  );
  const unseen = run.requirements.find(({ id }) => id === "ACAM-01");
  expect(unseen).toMatchObject({
    verdict: "skip",
    reason: "the traffic did not show it",
    skippedBy: "traffic",
  });
});

test("a body of which the recording has only the beginning is not judged", async () => {
  const whole = JSON.stringify(created());
  const text = whole.slice(0, -20);
  const response = { content: { size: whole.length, mimeType: "application/json", text } };
  const sent = JSON.stringify(operation);
  const request = {
    ...(harEntry(create(operation, {})) as { readonly request: object }).request,
    postData: { mimeType: "application/json", text: sent.slice(0, -20) },
  };
  const run = await judged([
    create(operation, { response }),
    create(operation, { body: created(), over: { request } }),
  ]);
  expect(idsWith(run, "fail", "warn")).toEqual([]);
  expect(run.warnings).toContainEqual(expect.stringContaining("cut off in the recording"));
});

test.each<[spelt: string, warning: string]>([
  ["request", "whose body this recording does not have"],
  ["response", "a character for each byte"],
  ["request response", "a character for each byte"],
  ["", ""],
])("bodies with a character for each byte: %s", async (spelt, warning) => {
  const spell = (part: string, body: object) => {
    const text = JSON.stringify(body);
    return spelt.split(" ").includes(part) ? Buffer.from(text).toString("latin1") : text;
  };
  const payee = { name: "José", external_id: "ação-1" };
  const run = await judged([
    list,
    {
      to: "POST /customers/c1/counterparty",
      headers: bearer,
      sent: spell("request", payee),
      body: spell("response", { ...payee, id: "cp-1" }),
    },
  ]);
  expect(idsWith(run, "fail", "warn")).toEqual([]);
  expect(run.warnings.join(" ")).toContain(warning);
});

const findings: readonly (readonly [
  what: string,
  entries: readonly EntryInShort[],
  ids: readonly string[],
])[] = [
  [
    "an echo of another value",
    [create(operation, { body: created({ foreign_currency_amount: 10 }) })],
    ["OPER-06"],
  ],
  [
    "one id for two operations",
    [
      create(operation, { body: created() }),
      create(
        { ...operation, currency_amount: 12 },
        { body: created({ foreign_currency_amount: 12 }) },
      ),
    ],
    ["OPER-15", "OPER-16"],
  ],
  [
    "an item for an operation with another purpose",
    [
      create(
        { ...operation, operation_purpose: "IMPORT" },
        { body: created({ operation_purpose: "IMPORT" }) },
      ),
      {
        to: "POST /corporate/operation/o-1/acam",
        headers: bearer,
        sent: sound.addAcamItem.sent,
        body: sound.addAcamItem.response,
      },
    ],
    ["ACAM-03"],
  ],
  [
    "a missing member that is accepted",
    [create({ ...operation, currency_pair: undefined }, { body: created() })],
    ["OPER-22"],
  ],
  [
    "a wrong type that is refused with another status",
    [
      create(operation, { body: created() }),
      create({ ...operation, currency_amount: "10" }, { status: 422, body: { message: "no" } }),
    ],
    ["OPER-28"],
  ],
  [
    "a list without a token",
    [list, { to: "GET /batches", body: { batches: [], count: 0, total: 0 } }],
    ["AUTH-36"],
  ],
  [
    "no token where 401 is stated",
    [
      create(operation, { body: created() }),
      { to: "POST /corporate/operation", sent: operation, status: 403, body: { message: "no" } },
    ],
    ["AUTH-20"],
  ],
  [
    "a token without a key",
    [
      {
        to: "POST /auth/token",
        headers: { "x-api-key": "key-0123456789" },
        body: { token: "token-0123456789" },
      },
      { to: "POST /auth/token", body: { token: "token-0123456789" } },
    ],
    ["AUTH-05"],
  ],
  [
    "a crash on a request that is unclear",
    [create("\ufeff{}", { status: 500, body: { message: "x" } })],
    ["HTTP-04"],
  ],
];

test.each(findings)("%s is a violation", async (_, entries, ids) => {
  const run = await judged(entries);
  expect(run.outcome).toBe("nonconformant");
  expect(idsWith(run, "fail")).toEqual(ids);
});

const bank_account = { bank_name: "B", account_number: "1" };
const refused = { status: 400, type: "text/html", body: "<p>no</p>" };

const legal: readonly (readonly [what: string, entries: readonly EntryInShort[]])[] = [
  [
    "members of a request that broke a rule, also in a list before its response",
    [
      create({ ...operation, counterparty_id: 5 }, refusal),
      listOf({ id: "b", currency_pair: 5, operations: [] }),
      batchCreated("b", { currency_pair: 5 }, { currency_pair: 5 }),
      listOf({ id: "b", currency_pair: 5, operations: [] }),
    ],
  ],
  [
    "a counterparty that is there, for another with its account",
    ["N", "M"].map((name) => ({
      to: "POST /customers/c/counterparty",
      headers: bearer,
      sent: {
        name,
        external_id: `x-${name}`,
        bank_account,
      },
      body: {
        id: "cp-1",
        name: "N",
        external_id: "x-N",
        bank_account,
      },
    })),
  ],
  [
    "refusals of the HTTP server: of plain HTTP on a port for TLS, and of headers that are too long",
    [
      list,
      {
        ...list,
        to: `GET ${base.replace("https:", "http:").replace("fx.test", "fx.test:443")}/batches`,
        ...refused,
      },
      { ...list, headers: { ...bearer, "X-Context": "x".repeat(9000) }, ...refused, status: 431 },
    ],
  ],
  [
    "a list as text, whose bytes are not known",
    [{ ...list, body: '{"batches":[],"count":0,"total":0,"note":"\ufffd"}' }],
  ],
  ["a missing member that is refused", [create({}, refusal)]],
  [
    "a refusal that valid requests meet too",
    [
      create(operation, { status: 403, body: { message: "closed" } }),
      create({}, { status: 403, body: { message: "closed" } }),
    ],
  ],
  [
    "no Authorization in all of the recording",
    [
      { to: "GET /batches", body: { batches: [], count: 0, total: 0 } },
      { to: "GET /batches", status: 401, body: { message: "no" } },
    ],
  ],
];

test.each(legal)("%s: no violation", async (_, entries) => {
  const run = await judged(entries);
  expect(idsWith(run, "fail", "warn").filter((id) => id !== "BATCH-03")).toEqual([]);
});

test("--base-url chooses among addresses, else the one with most requests; traffic of another API has no verdict", async () => {
  const other = "https://sandbox.test/v1";
  const entries = [list, list, { ...list, to: `GET ${other}/batches` }];
  expect((await judged(entries)).target.baseUrl).toBe(base);
  const chosen = await judged(entries, { baseUrl: other });
  expect(chosen).toMatchObject({
    requests: 1,
    warnings: [expect.stringContaining("2 entries not judged")],
  });
  expect((await judged(entries, { baseUrl: "https://else.test" })).summary).toContain(`at ${base}`);
  const foreign = await judged([{ to: "GET https://other.test/users", body: [] }]);
  expect(foreign).toMatchObject({ outcome: "inconclusive", requests: 0 });
  expect(foreign.summary).toContain("none of 1 entry is a request of the API");
});

test("names and numbers of accounts are masked with their shape, unless values are kept", async () => {
  const account = { account_number: "12345-6" };
  const sent = { name: "Maria Souza", external_id: "e-1", bank_account: account };
  const to = "POST /customers/c/counterparty";
  const message = "Maria Souza (12345-6) is known; session-secret";
  const entries: readonly EntryInShort[] = [
    { to, headers: { "X-Session": "session-secret" }, sent, status: 400, body: { message } },
    { to, headers: bearer, sent, body: { id: "c", ...sent, name: "MARIA SOUZA" } },
  ];
  const secretHeaders = ["x-session"];
  const text = JSON.stringify(await judged(entries, { secretHeaders }));
  expect(text).not.toMatch(/maria|12345|session-secret/i);
  expect(text).toContain("Xxxxx Xxxxx");
  expect(text).toContain("99999-9");
  const kept = JSON.stringify(await judged(entries, { keepValues: true, secretHeaders }));
  expect(kept).toContain("Maria Souza");
  expect(kept).not.toContain("session-secret");
});

test("bodies in files beside the recording are read, and no other files", async () => {
  const nameOf = (body: string): string => `${createHash("sha1").update(body).digest("hex")}.json`;
  const sound = '{"batches":[],"count":0,"total":0}';
  const faulty = '{"batches":[],"count":0}';
  const names = [nameOf(sound), nameOf(faulty), nameOf("gone"), "it.har", "../it.har"];
  const shown = (name: string) => ({
    content: { size: 34, mimeType: "application/json", _file: name },
  });
  const path = fileOf(harOf(names.map((name) => ({ ...list, response: shown(name) }))));
  for (const body of [sound, faulty]) writeFileSync(join(dirname(path), nameOf(body)), body);
  const run = await judgedFile(path);
  expect(idsWith(run, "fail")).toEqual(["BATCH-22"]);
  expect(run.warnings).toEqual([
    "3 response bodies not judged: not in the recording, nor in a file beside it.",
  ]);
});

test("a genuine recording by mitmproxy, of a server that obeys and a client that breaks two rules", async () => {
  const path = fileURLToPath(new URL("./testing/mitmproxy.har", import.meta.url));
  const run = await judgedFile(path);
  expect(idsWith(run, "fail", "warn")).toEqual([]);
  const shown = [
    "AUTH-01",
    "CPTY-01",
    "CPTY-07",
    "OPER-01",
    "ACAM-01",
    "BATCH-01",
    "BATCH-20",
    "BATCH-27",
  ];
  expect(idsWith(run, "pass")).toEqual(expect.arrayContaining(shown));
  expect(run).toMatchObject({ requests: 9, warnings: [] });
  expect(run.client?.map(({ text }) => text)).toEqual([
    "with /currency_pair left out",
    "without an Authorization header",
  ]);
});

test("a byte order mark, white space and other members around the entries are fine", async () => {
  const text = JSON.stringify(
    {
      log: {
        pages: [{ entries: [1] }],
        ...(JSON.parse(harOf([list])) as { log: object }).log,
        comment: '}]"',
      },
    },
    null,
    2,
  );
  expect((await judgedFile(fileOf(`\ufeff${text}\n`))).requests).toBe(1);
});

test.each<[string, (har: string) => Buffer]>([
  ["packed: unpack it", (har) => gzipSync(har)],
  ["UTF-16: save it as UTF-8", (har) => Buffer.from(`\ufeff${har}`, "utf16le")],
])("a recording that is %s", async (words, written) => {
  const path = fileOf(written(harOf([list])));
  await expect(judgedFile(path)).rejects.toThrow(words);
});

test("what clients do wrong is listed apart", async () => {
  const run = await judged([
    list,
    create({ ...operation, currency_pair: 5 }, refusal),
    create({ ...operation, currency_pair: 5 }, refusal),
    { to: "GET /batches", status: 401, body: { message: "no" } },
  ]);
  expect(run.outcome).toBe("partial");
  expect(run.client?.map(({ text, count }) => [text, count])).toEqual([
    ["with another type at /currency_pair", 2],
    ["without an Authorization header", 1],
  ]);
});

test("bad requests of fxconform are no mistakes of a client; their responses are judged", async () => {
  const bad = create({}, { status: 200, body: created() });
  expect((await judged([bad])).client?.length).toBeGreaterThan(0);
  const headers = { ...bearer, "User-Agent": "fxconform/0.1.0 (run abcdefgh)" };
  const own = await judged([{ ...bad, headers }]);
  expect(own.client ?? []).toEqual([]);
  expect(idsWith(own, "fail")).toEqual(idsWith(await judged([bad]), "fail"));
});
