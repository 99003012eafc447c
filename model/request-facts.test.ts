import { expect, test } from "vitest";
import type { Json } from "../spec/json.ts";
import { createRequestFacts, exceptionIn, hasNoObject } from "./request-facts.ts";
import { exchangeOf } from "./testing/exchanges.ts";
import { valid } from "./request.ts";

const plain = (text: string): string => text;
function marksOf(body: Json) {
  return createRequestFacts(plain)(exchangeOf("createCounterparty", { sent: body, intent: valid }))
    .marks;
}

test.each<[string, Json, Readonly<Record<string, readonly string[]>> | undefined]>([
  ["nothing", { name: "Ana", amount: 7 }, undefined],
  [
    "a quote inside",
    { bank_account: { bank_name: 'the "bank"' } },
    { "a double quote": ["/bank_account/bank_name"] },
  ],
  [
    "an apostrophe and a line break",
    ["it's", "two\nlines"],
    { "an apostrophe": ["/0"], "a line break": ["/1"] },
  ],
  ["an emoji", { name: "😀" }, { "a character outside the basic plane": ["/name"] }],
])("the marks of %s", (_, body, marks) => {
  expect(marksOf(body)).toEqual(marks);
});

test("an item has the pair of its operation", () => {
  const factsOf = createRequestFacts(plain);
  factsOf(
    exchangeOf("createOperation", {
      sent: { currency_pair: "EURBRL" },
      json: { operation_id: "o-7" },
    }),
  );
  const item = exchangeOf("addAcamItem");
  const url = "https://fx.example/corporate/operation/o-7/acam";
  expect(factsOf({ ...item, request: { ...item.request, url } }).pair).toBe("EURBRL");
});

test.each([
  ["<html><title>TypeError at /batches</title>", "TypeError at /batches"],
  ['{"detail":"java.lang.ClassCastException: 17 is no text"}', "ClassCastException: is no text"],
  ['{"message":"ValueError"}', undefined],
  ['{"message":"Internal Server Error"}', undefined],
  ["An Error occurred", undefined],
])("the exception in %j", (body, exception) => {
  expect(exceptionIn(body)).toBe(exception);
});

test("a secret at the end of what is kept of an exception is redacted as a whole", () => {
  const secret = "qwertzuiopasdfghjklyxcvbnm";
  const message = `TypeError: ${"no ".repeat(62)}${secret}`;
  const factsOf = createRequestFacts((text) => text.replaceAll(secret, "[token]"));
  const { exception } = factsOf(exchangeOf("createBatch", { status: 500, json: { message } }));
  expect(exception).toContain("TypeError: no");
  expect(exception).not.toContain(secret.slice(0, 5));
});

test("a body that is not UTF-8 is no object, whatever a lenient reader makes of it", () => {
  const body = Buffer.from('{"name":"é"}', "latin1");
  expect(hasNoObject({ json: { name: "\ufffd" }, body })).toBe(true);
});

test("an operation has what its counterparty has, and an item a tax id and an operation", () => {
  const factsOf = createRequestFacts(plain);
  const account = { bank_country: "CH", iban: "CH93" };
  const payee = exchangeOf("createCounterparty", {
    sent: {
      bank_account: account,
      intermediary_bank: null,
      external_id: "x",
      counterparty_address: { city: " ", state: "Zug" },
    },
    json: { id: "c-7" },
  });
  const operation = exchangeOf("createOperation", { sent: { counterparty_id: "c-7" } });
  const item = exchangeOf("addAcamItem", { sent: { tax_id: "11222333000181" } });
  const ofPayee = [
    "a bank in CH",
    "an IBAN",
    "no ABA number",
    "no intermediary bank",
    "an address",
    "no street",
    "no city",
    "no zip code",
    "a state",
    "no country",
    "an external id",
  ];
  expect([payee, operation, item, item].map((one) => factsOf(one).having)).toEqual([
    ofPayee,
    ofPayee,
    ["a tax id of 14 digits", "no item before it"],
    ["a tax id of 14 digits", "an item before it"],
  ]);
});

test("the texts of a body are named by where they stand, and those that came before", () => {
  const factsOf = createRequestFacts(plain);
  const facts = [
    { b: 7, c: { d: "yz" } },
    { b: "yz", c: { d: "yz" } },
  ].map((sent) => factsOf(exchangeOf("createBatch", { sent })));
  expect(facts.map(({ texts, again }) => [texts, again])).toEqual([
    [{ "/c/d": 2 }, []],
    [{ "/b": 2, "/c/d": 2 }, ["/c/d"]],
  ]);
});
