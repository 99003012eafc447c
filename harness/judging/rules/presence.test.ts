import { describe, expect, test } from "vitest";
import { invalid, type Json } from "../../../model/exchange.ts";
import { changed, exchangeOf, sound } from "../../../model/testing/exchanges.ts";
import { brokenIn, said } from "../../testing/judgements.ts";
import { presence, reportedFailure } from "./presence.ts";

describe("members without which a response is of no use", () => {
  test.each([
    ["AUTH-01", "createToken", "token", "POST /auth/token", "is a string that is not empty and fits into a header"],
    ["CPTY-01", "createCounterparty", "id", "POST /customers/{customer_id}/counterparty", "is a string"],
    ["OPER-05", "createOperation", "operation_id", "POST /corporate/operation", "is a string"],
    ["BATCH-01", "createBatch", "id", "POST /batches", '= "b-1"'],
    ["BATCH-20", "listBatches", "batches", "GET /batches", "is an array"],
    ["BATCH-21", "listBatches", "count", "GET /batches", "is an integer"],
    ["BATCH-22", "listBatches", "total", "GET /batches", "is an integer"],
  ] as const)("%s: %s has %s", (id, name, member, title, right) => {
    expect(said(presence, exchangeOf(name))).toContain(`${id} holds`);
    const json = changed(sound[name].response, `/${member}`, undefined);
    const exchange = exchangeOf(name, { json });
    expect(brokenIn(exchange)).toEqual([id]);
    expect(said(presence, exchange)).toContain(
      `${id} ${title}: the response has no ${member}. | /${member} ${right} | /${member} is absent in ${JSON.stringify(json)} | /${member}`,
    );
  });

  test("of each operation its own alone", () => {
    expect(said(presence, exchangeOf("createToken"))).toEqual(["AUTH-01 holds"]);
    expect(said(presence, exchangeOf("addAcamItem"))).toEqual([]);
    expect(said(presence, exchangeOf("createBatch"))).toEqual(["BATCH-01 holds"]);
    expect(said(presence, exchangeOf("listBatches"))).toEqual(
      ["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23"].map((id) => `${id} holds`),
    );
  });

  test("members of the prototype are none", () => {
    expect(brokenIn(exchangeOf("createToken", { body: '{"__proto__":{"token":"abc"}}' }))).toEqual(["AUTH-01"]);
  });

  test("an empty id is an id", () => {
    expect(brokenIn(exchangeOf("createBatch", { json: { id: "" } }))).toEqual([]);
  });
});

describe("a token (INT-14)", () => {
  test.each(["x", "abc.def", "a".repeat(4096), "!#$%&'*+-.^_`|~/=:;,\"\\"])("%j can be used", (token) => {
    expect(brokenIn(exchangeOf("createToken", { json: { token } }))).toEqual([]);
  });

  test.each([
    ["", "an empty token"],
    [" ", "a token with characters that no header may have"],
    ["a b", "a token with characters that no header may have"],
    ["a\nb", "a token with characters that no header may have"],
    ["tökén", "a token with characters that no header may have"],
    ["a\u007f", "a token with characters that no header may have"],
  ])("%j cannot", (token, actual) => {
    const exchange = exchangeOf("createToken", { json: { token } });
    expect(brokenIn(exchange)).toEqual(["AUTH-01"]);
    expect(said(presence, exchange)).toContain(
      `AUTH-01 POST /auth/token: the token cannot be used. | /token is a string that is not empty and fits into a header | ${actual} | /token`,
    );
  });

  test("of another operation is none", () => {
    expect(brokenIn(exchangeOf("createBatch", { json: { id: "b", token: "" } }))).toEqual([]);
  });
});

describe("operations of each listed batch (INT-28)", () => {
  const list = (batches: readonly Json[]) => exchangeOf("listBatches", { json: { batches, count: 1, total: 1 } });

  test("are there, be they none", () => {
    expect(said(presence, list([{ operations: [] }, { operations: [] }]))).toContain("BATCH-23 holds");
  });

  test("are counted where they are not", () => {
    const batches = [{ operations: [] }, { id: "b" }, { operations: [] }, {}];
    expect(brokenIn(list(batches))).toEqual(["BATCH-23"]);
    expect(said(presence, list(batches))).toContain(
      'BATCH-23 GET /batches: a listed batch has no operations. | /batches/*/operations is an array | 2 of 4 have none, the first is /batches/1 (batch "b") | /batches/1/operations',
    );
  });

  test("cannot be looked for in an empty list, in no array, in elements that are not objects", () => {
    const without = ["BATCH-20 holds", "BATCH-21 holds", "BATCH-22 holds"];
    expect(said(presence, list([]))).toEqual(without);
    expect(said(presence, list([7, null]))).toEqual(without);
    expect(said(presence, exchangeOf("listBatches", { json: { batches: {}, count: 1, total: 1 } }))).toEqual(without);
  });

  test("are looked for in the list alone", () => {
    expect(said(presence, exchangeOf("createBatch", { json: { id: "b", batches: [{}] } }))).toEqual(["BATCH-01 holds"]);
  });
});

test.each(["[]", '"abc"', "{"])("nothing of %s, which is not an object", (body) => {
  expect(said(presence, exchangeOf("createToken", { body }))).toEqual([]);
});

describe("a success that reports a failure (INT-05)", () => {
  const judgedResponse = (
    json: Json,
    operation: "createOperation" | "createBatch" | "createCounterparty" = "createBatch",
  ) => said(reportedFailure, exchangeOf(operation, { intent: invalid("with an empty pair"), status: 200, json }));

  test.each([
    ["createCounterparty", "id", "CPTY-01"],
    ["createOperation", "operation_id", "OPER-05"],
    ["createBatch", "id", "BATCH-01"],
  ] as const)("%s", (operation, member, requirement) => {
    expect(judgedResponse({ message: "no such pair" }, operation)).toEqual([
      expect.stringMatching(
        new RegExp(`^${requirement} .* with a success that reports a failure\\..* \\| /${member}$`),
      ),
    ]);
  });

  test("says what would have been right, and what came", () => {
    expect(judgedResponse({ message: "no such pair" })).toEqual([
      'BATCH-01 POST /batches answers a request with an empty pair with a success that reports a failure. | a refusal: a 4xx status, and a JSON object with a string message | status 200 with {"message":"no such pair"} | /id',
    ]);
  });

  test.each<[Json]>([
    [{ error: "no such pair" }],
    [{ errors: [{ code: 7 }] }],
    [{ id: null, status: "rejected" }],
    [{ id: "", created_at: "0001-01-01T00:00:00Z" }],
    [{ id: 0 }],
    [{ message: 5 }],
  ])("is %j too", (json) => {
    expect(judgedResponse(json)).toEqual([
      expect.stringMatching(/^BATCH-01 .* with a success that reports a failure\./),
    ]);
  });

  test.each<[Json]>([[{ id: "b", message: "created" }], [{ id: "b", error: "a warning" }], [{ id: 7 }], [{}], [[]]])(
    "is not %j",
    (json) => {
      expect(judgedResponse(json)).toEqual([]);
    },
  );
});
