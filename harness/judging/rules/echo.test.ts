import { describe, expect, test } from "vitest";
import { unusual, type Exchange, type Json } from "../../../model/exchange.ts";
import { changed, exchangeOf, sound } from "../../../model/testing/exchanges.ts";
import { brokenIn, nothingKnown, said } from "../../testing/judgements.ts";
import { judgeExchange } from "../../testing/judgements.ts";
import { members } from "./members.ts";

const ids = ["OPER-06", "OPER-07", "OPER-08", "OPER-09", "CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09", "BATCH-02"];

/** What the rule says of these requirements. */
const judged = (exchange: Exchange, known = nothingKnown()): readonly string[] =>
  said(members, exchange, known).filter((line) => ids.some((id) => line.startsWith(`${id} `)));

describe("amounts survive as IEEE doubles (INT-09)", () => {
  const amount = (sent: number, returned: string) =>
    exchangeOf("createOperation", {
      sent: { ...sound.createOperation.sent, currency_amount: sent },
      body: JSON.stringify(sound.createOperation.response).replace(
        '"foreign_currency_amount":10.5',
        `"foreign_currency_amount":${returned}`,
      ),
    });

  test.each([
    [1000, "1000.0"],
    [1000, "1e3"],
    [0.1, "0.1"],
    [0.1, "0.1000000000000000055511151231257827"],
    [16777217, "16777217"],
    [0, "-0"],
    [999999999.99, "999999999.990"],
  ])("%d comes back as %s", (sent, returned) => {
    expect(brokenIn(amount(sent, returned))).toEqual([]);
  });

  test.each([
    [10.55, "10.5"],
    [10.55, "10.550000000000002"],
    [16777217, "16777216"],
    [0.1, "0.10000000149011612"],
    [1000, "1000.01"],
    [10.5, "-10.5"],
    [10.5, "1050"],
  ])("%d does not come back as %s", (sent, returned) => {
    expect(brokenIn(amount(sent, returned))).toEqual(["OPER-06"]);
    expect(judged(amount(sent, returned))).toContain(
      `OPER-06 POST /corporate/operation: /foreign_currency_amount is not as sent. | /foreign_currency_amount = ${sent} | /foreign_currency_amount = ${returned} | /foreign_currency_amount`,
    );
  });
});

describe("texts", () => {
  test.each([
    ["OPER-07", "createOperation", "currency_pair"],
    ["OPER-08", "createOperation", "operation_purpose"],
    ["OPER-09", "createOperation", "counterparty_id"],
    ["CPTY-06", "createCounterparty", "external_id"],
    ["CPTY-07", "createCounterparty", "name"],
    ["BATCH-02", "createBatch", "currency_pair"],
  ] as const)("%s: %s returns %s as it was sent", (id, name, member) => {
    expect(judged(exchangeOf(name))).toContain(`${id} holds`);
    for (const value of ["another", "", "usdbrl", "efx"]) {
      const json = changed(sound[name].response, `/${member}`, value);
      expect(brokenIn(exchangeOf(name, { json }))).toEqual([id]);
    }
    const without = exchangeOf(name, { json: changed(sound[name].response, `/${member}`, undefined) });
    expect(brokenIn(without)).toEqual([]);
    expect(judged(without).join()).not.toContain(id);
    const notSent = exchangeOf(name, { sent: {} });
    expect(judged(notSent)).toEqual([]);
  });
});

describe("objects", () => {
  const exchangeWith = (pointer: string, value: Json | undefined) =>
    exchangeOf("createCounterparty", { json: changed(sound.createCounterparty.response, pointer, value) });

  test.each([
    ["CPTY-08", "/counterparty_address/city"],
    ["CPTY-09", "/bank_account/account_number"],
    ["CPTY-09", "/bank_account/bank_name"],
    ["CPTY-09", "/intermediary_bank/swift_code"],
  ] as const)("%s: %s is what was sent", (id, pointer) => {
    expect(judged(exchangeOf("createCounterparty"))).toContain(`${id} holds`);
    expect(brokenIn(exchangeWith(pointer, "other"))).toEqual([id]);
    expect(judged(exchangeWith(pointer, "other"))).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^${id} POST /customers/{customer_id}/counterparty: ${pointer} is not as sent\\. \\| ${pointer} = ".+" \\| ${pointer} = "other" \\| ${pointer}$`,
        ),
      ),
    );
  });

  test("a member of an address that was lost is reported", () => {
    expect(judged(exchangeWith("/counterparty_address/city", undefined))).toContain(
      'CPTY-08 POST /customers/{customer_id}/counterparty: /counterparty_address/city is not as sent. | /counterparty_address/city = "Santos" | /counterparty_address/city is absent in {"address":"Rua A 1","country":"BR","zip_code":"11000-000","state":"SP"} | /counterparty_address/city',
    );
  });
});

test("what an unusual request sent is judged, too", () => {
  const exchange = exchangeOf("createBatch", { json: { currency_pair: "XXXYYY" }, intent: unusual("odd") });
  expect(judged(exchange)).toHaveLength(1);
});

/** The requirements that a run finds broken in exchanges, one after the other. */
const brokenInTurn = (...exchanges: readonly Exchange[]): readonly (readonly string[])[] => {
  const knowledge = nothingKnown();
  return exchanges.map((exchange) =>
    judgeExchange(exchange, knowledge).flatMap(({ requirement, violation }) => (violation ? [requirement] : [])),
  );
};

test("a counterparty that was there before keeps its own data", () => {
  const of = (name: string, account_number: string) =>
    exchangeOf("createCounterparty", {
      sent: { name, bank_account: { account_number } },
      json: { id: "c-1", name: "first" },
    });
  const found = brokenInTurn(of("first", "1"), of("second", "1"), of("third", "2"));
  expect(found.map((ids) => ids.includes("CPTY-07"))).toEqual([false, false, true]);
});
