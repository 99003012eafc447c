import { expect, test } from "vitest";
import {
  bearer,
  create,
  created,
  idsWith,
  judged,
  list,
  operation,
  type EntryInShort,
} from "./testing/har.ts";

const findings: readonly (readonly [
  what: string,
  entries: readonly EntryInShort[],
  ids: readonly string[],
])[] = [
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
    "a malformed body that is accepted",
    [create('{"currency_amount":', { body: created() })],
    ["OPER-34"],
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
  expect(idsWith(await judged(entries), "fail")).toEqual(ids);
});

const legal: readonly (readonly [what: string, entries: readonly EntryInShort[]])[] = [
  ["a missing member that is refused", [create({}, { status: 400, body: { message: "no" } })]],
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
  expect(idsWith(await judged(entries), "fail", "warn")).toEqual([]);
});

test("what clients do wrong is listed apart", async () => {
  const run = await judged([
    list,
    {
      to: "GET http://fx.test:443/api/batches",
      headers: bearer,
      status: 403,
      body: { message: "no" },
    },
    create({ ...operation, currency_pair: 5 }, { status: 400, body: { message: "no" } }),
    create({ ...operation, currency_pair: 5 }, { status: 400, body: { message: "no" } }),
    { to: "GET /batches", status: 401, body: { message: "no" } },
  ]);
  expect(run.outcome).toBe("partial");
  expect(run.client?.map(({ text, count }) => [text, count])).toEqual([
    ["over plain HTTP", 1],
    ["with another type at /currency_pair", 2],
    ["without an Authorization header", 1],
  ]);
});
