import { expect, test } from "vitest";
import type { Exchange } from "../../../model/exchange.ts";
import type { Json } from "../../../spec/json.ts";
import { exchangeOf, type ExchangeOverrides } from "../../../model/testing/exchanges.ts";
import { nothingKnown, said } from "../../testing/judgements.ts";
import { creations } from "../../../spec/endpoints.ts";
import { createdBy, distinctIds, type CreatingOperation } from "./distinct-ids.ts";

function created(
  name: CreatingOperation,
  id: Json,
  sent: Json,
  overrides: ExchangeOverrides = {},
): Exchange {
  return exchangeOf(name, { json: { [creations[name].member]: id }, sent, ...overrides });
}

/**
 * Whether the last of these exchanges shows one id for two resources. Undefined if nothing is
 * judged.
 */
function isBlamed(...exchanges: readonly Exchange[]): boolean | undefined {
  const known = nothingKnown();
  const lines = exchanges.map((exchange) => {
    const [line] = said(distinctIds, exchange, known);
    const made = createdBy(exchange);
    if (made !== undefined) known.ids.remember(made.kind, made.id, made.data);
    return line;
  });
  return lines.at(-1)?.includes("two different");
}

const two = {
  counterparty_id: "c-2",
  currency_pair: "EURBRL",
  bank_account: { account_number: "2" },
};

const body = {
  name: "Acme",
  external_id: "x-1",
  bank_account: { account_number: "1", bank_name: "Bank" },
};
const other = { external_id: "x-2", bank_account: { account_number: "2" } };
test.each<[string, boolean, CreatingOperation, Json, Json]>([
  ["a counterparty is its account", true, "createCounterparty", body, { ...body, ...other }],
  [
    "or its external id",
    false,
    "createCounterparty",
    body,
    { ...body, ...other, external_id: "x-1" },
  ],
  [
    "a missing external id is not shared",
    true,
    "createCounterparty",
    { name: "a" },
    { bank_account: { iban: "1" } },
  ],
])("ids within a kind (INT-21): %s: %j (INT-35)", (_, wanted, name, first, second) => {
  expect(
    isBlamed(created(name, "a", first), created(name, "z", two), created(name, "a", second)),
  ).toBe(wanted);
});

const at = (id: string, created_at: string, currency_pair = "USDBRL"): Json => ({
  id,
  created_at,
  currency_pair,
});
const listOf = (...batches: readonly Json[]) =>
  said(distinctIds, exchangeOf("listBatches", { json: { batches } }));

test("ids in the list (INT-21): of different batches differ, and one that is listed twice is one, in whatever state", () => {
  const again = { ...(at("a", "2026") as object), status: "closed", operations: [] };
  expect(listOf(at("a", "2026"), again, at("b", "2026"))).toEqual(["BATCH-06 holds"]);
  const lists: readonly Json[][] = [[at("a", "2026"), again], [{ id: 1 }, { id: 2 }, {}], [7]];
  for (const nothing of lists) expect(listOf(...nothing)).toEqual([]);
});
