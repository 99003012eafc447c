import { expect, test } from "vitest";
import type { Exchange } from "../../../model/exchange.ts";
import type { Json } from "../../../spec/json.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { nothingKnown, shortLineOf } from "../../testing/judgements.ts";
import { concurrency } from "./concurrency.ts";

/** A creation of an operation. Its response takes two milliseconds. */
function created(
  id: string,
  amount: number,
  at: number,
  returned: Json = amount,
  counterparty = "c-1",
): Exchange {
  return exchangeOf("createOperation", {
    json: { operation_id: id, foreign_currency_amount: returned },
    sent: { currency_amount: amount, counterparty_id: counterparty },
    at,
  });
}

function said(...exchanges: readonly Exchange[]): readonly string[] {
  const { judge } = concurrency.create(nothingKnown());
  return exchanges.flatMap(judge).map(shortLineOf);
}

test.each<[string, readonly Exchange[], readonly string[]]>([
  ["are two at least", [created("a", 1, 0), created("b", 2, 5)], []],
  ["do not only follow each other", [created("a", 1, 0), created("b", 2, 2)], []],
  ["with the same data may be one", [created("a", 1, 0), created("a", 1, 1)], []],
  [
    "whose amount an earlier one repeats",
    [created("a", 1, 0, 2), created("b", 2, 1)],
    ["OPER-16 the response to another request in flight, which sent 1, has it too"],
  ],
  [
    "with an amount that is near its own",
    [created("a", 100, 0), created("b", 100.4, 1, 100)],
    ["OPER-16 holds"],
  ],
  [
    "with an amount that another way of rounding makes of its own",
    [created("a", 100, 0), created("b", 109, 1, 100)],
    ["OPER-16 holds"],
  ],
  [
    "with the amount of one of several",
    [created("a", 1, 0), created("b", 5, 1), created("c", 3, 1, 1)],
    [
      "OPER-16 holds",
      "OPER-16 /foreign_currency_amount = 1, the value of another request in flight",
    ],
  ],
])("creations that are in flight together (INT-21): %s", (_, exchanges, wanted) =>
  expect(said(...exchanges)).toEqual(wanted),
);

const registered = (external_id: string) =>
  exchangeOf("createCounterparty", {
    json: { id: "c" },
    sent: { external_id, bank_account: { account_number: "1" } },
  });

test("counterparties of one account may be one", () => {
  const { judge } = concurrency.create(nothingKnown());
  expect([registered("x"), registered("y")].flatMap(judge)).toEqual([]);
});

test.each([
  ["Jose\u0301 Ltda", "Jos\u00e9 Ltda", true],
  ["ACME  Ltda ", "Acme Ltda", true],
  ["0012", "12", true],
  ["Acme Ltda", "Beta Ltda", false],
])(
  "a text that normalising makes of %j and of %j is no sign of a mix-up: %s",
  (one, other, isNear) => {
    const registeredAs = (id: string, sent: string, at: number): Exchange =>
      exchangeOf("createCounterparty", {
        json: { id, external_id: other },
        sent: { external_id: sent, bank_account: { account_number: id } },
        at,
      });
    const broken = said(registeredAs("c-1", one, 0), registeredAs("c-2", other, 1)).filter(
      (line) => !line.endsWith("holds"),
    );
    expect(broken.length === 0).toBe(isNear);
  },
);
