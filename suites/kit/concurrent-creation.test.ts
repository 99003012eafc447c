import { describe, expect, test } from "vitest";
import type { Json } from "../../model/exchange.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { contextWith } from "../testing/context.ts";
import { judgeConcurrent } from "./concurrent-creation.ts";

const distinction = {
  id: "id",
  echoes: [
    ["external_id", "external_id"],
    ["name", "name"],
  ],
} as const;

/** What is reported of responses to counterparties that were sent with these external ids. */
const said = (...responses: readonly (readonly [sent: string, response: Json, status?: number])[]) => {
  const { context, judged } = contextWith(() => exchangeOf("createToken"));
  const exchanges = responses.map(([external_id, json, status = 201], i) =>
    exchangeOf("createCounterparty", { id: i + 1, sent: { external_id, name: "same" }, json, status }),
  );
  judgeConcurrent(context, "CPTY-11", exchanges, distinction);
  return judged;
};

const title = "POST /customers/{customer_id}/counterparty";

describe("creations in flight together (INT-21)", () => {
  test("each with an id and a response of its own", () => {
    expect(said(["a", { id: "1", external_id: "a" }], ["b", { id: "2", external_id: "b" }])).toEqual(["CPTY-11 holds"]);
    expect(said(["a", { id: "1" }], ["b", { id: "2" }], ["c", { message: "no" }, 429])).toEqual(["CPTY-11 holds"]);
  });

  test("with one id", () => {
    expect(said(["a", { id: "1" }], ["b", { id: "2" }], ["c", { id: "1" }], ["d", { id: "1" }])).toEqual([
      `CPTY-11 ${title}: creations that were in flight together got one id. | 4 ids for 4 creations | 2 ids; "1" was given 3 times | /id | 4 | 1 of 2`,
    ]);
  });

  test("with responses crossed", () => {
    const crossed = said(
      ["a", { id: "1", external_id: "b" }],
      ["b", { id: "2", external_id: "a" }],
      ["c", { id: "3", external_id: "c" }],
    );
    expect(crossed).toEqual([
      `CPTY-11 ${title}: a response belongs to another request that was in flight at the same time. | /external_id = "a", /name = "same" | /external_id = "b", /name = undefined | - | 1 | 2 of 3`,
    ]);
  });

  test("with an inner member of another request", () => {
    const { context, judged } = contextWith(() => exchangeOf("createToken"));
    const account = (account_number: string) => ({ bank_account: { account_number } });
    const exchanges = [
      exchangeOf("createCounterparty", { id: 1, sent: account("1"), json: { id: "a", ...account("2") }, status: 201 }),
      exchangeOf("createCounterparty", { id: 2, sent: account("2"), json: { id: "b" }, status: 201 }),
    ];
    const path = "bank_account/account_number";
    judgeConcurrent(context, "CPTY-11", exchanges, { id: "id", echoes: [[path, path]] });
    expect(judged).toEqual([
      `CPTY-11 ${title}: a response belongs to another request that was in flight at the same time. | /bank_account/account_number = "1" | /bank_account/account_number = "2" | - | 1 | 1 of 2`,
    ]);
  });

  test("with one id and responses crossed", () => {
    expect(said(["a", { id: "1", external_id: "b" }], ["b", { id: "1", external_id: "b" }])).toHaveLength(2);
  });

  test("a wrong echo that is nobody's is not crossed", () => {
    expect(said(["a", { id: "1", external_id: "z" }], ["b", { id: "2", external_id: "b" }])).toEqual(["CPTY-11 holds"]);
  });

  test("data that both sent show nothing", () => {
    expect(said(["a", { id: "1", name: "same" }], ["b", { id: "2", name: "same" }])).toEqual(["CPTY-11 holds"]);
  });

  test("fewer than two successes show nothing", () => {
    const no = { message: "no" };
    expect(said(["a", { id: "1" }], ["b", no, 400], ["c", no, 400])).toEqual([
      "CPTY-11 inconclusive: 1 of 3 creations sent at the same time succeeded; at least two are needed",
    ]);
    expect(said()).toEqual([
      "CPTY-11 inconclusive: 0 of 0 creations sent at the same time succeeded; at least two are needed",
    ]);
  });

  test("ids that are not strings are the schema's", () => {
    expect(said(["a", { id: 1 }], ["b", { id: 1 }], ["c", { id: "1" }], ["d", { id: "2" }])).toEqual(["CPTY-11 holds"]);
  });

  test("responses with neither an id nor an echo show nothing", () => {
    const reason = `${title} answers with no id, external_id, name: nothing distinguishes the responses`;
    expect(said(["a", {}], ["b", {}])).toEqual([`CPTY-11 inconclusive: ${reason}`]);
    expect(said(["a", { id: 1 }], ["b", { id: "1" }])).toEqual([`CPTY-11 inconclusive: ${reason}`]);
    expect(said(["a", { external_id: "a" }], ["b", { external_id: "b" }])).toEqual(["CPTY-11 holds"]);
  });
});
