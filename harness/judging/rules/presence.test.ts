import { describe, expect, test } from "vitest";
import { invalid, type Json } from "../../../model/exchange.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { brokenIn, said } from "../../testing/judgements.ts";
import { members } from "./members.ts";

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
    expect(said(members, exchange)).toContain(
      `AUTH-01 POST /auth/token: /token is not usable. | /token is a string that is not empty and fits into a header | ${actual} | /token`,
    );
  });
});

describe("a success that reports a failure (INT-05)", () => {
  const judgedResponse = (
    json: Json,
    operation: "createOperation" | "createBatch" | "createCounterparty" = "createBatch",
  ) => said(members, exchangeOf(operation, { intent: invalid("with an empty pair"), status: 200, json }));

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
