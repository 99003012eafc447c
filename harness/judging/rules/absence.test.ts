import { expect, test } from "vitest";
import type { Exchange } from "../../../model/exchange.ts";
import type { Json } from "../../../spec/json.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { nothingKnown } from "../../testing/judgements.ts";
import { members } from "./members.ts";

function missing(...exchanges: readonly Exchange[]): readonly string[] {
  const rule = members.create(nothingKnown());
  for (const exchange of exchanges) rule.judge(exchange);
  return (rule.unmet?.() ?? []).map(
    ({ requirement, gap, noVerdict }) => `${requirement} ${gap}: ${noVerdict}`,
  );
}

function counterparty(json: Json, sent: Json = {}): Exchange {
  return exchangeOf("createCounterparty", { json, sent });
}

test("a member that every success leaves out is the gap of its requirement (INT-57)", () => {
  const left = missing(counterparty({ id: "c-1" }, { external_id: "e-1" }));
  expect(left).toContain(
    "CPTY-06 optional member: no success of POST /customers/{customer_id}/counterparty showed external_id, which the specification does not require",
  );
  expect(left.map((line) => line.slice(0, 7))).toEqual([
    "CPTY-03",
    "CPTY-04",
    "CPTY-05",
    "CPTY-06",
    "CPTY-07",
    "CPTY-08",
    "CPTY-09",
  ]);
});

test("a member that one success shows is none, and an echo of nothing is one", () => {
  const shown = { id: "c-1", external_id: "e-1" };
  const other = { id: "c-2" };
  const sent = { external_id: "e-1" };
  const lines = (...all: readonly Exchange[]) =>
    missing(...all).filter((line) => line.startsWith("CPTY-06"));
  expect(lines(counterparty(other, sent), counterparty(shown, sent))).toEqual([]);
  expect(lines(counterparty(shown, {}))).toHaveLength(1);
});
