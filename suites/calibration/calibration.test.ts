import { expect, test } from "vitest";
import { type RequestSpec } from "../../model/request.ts";
import { memberOf } from "../../spec/json.ts";
import { requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import { selectScenarios } from "../run/selection.ts";
import { runWith } from "../testing/sent-by.ts";
import { acceptedVariation, unroundAmount } from "./steps.ts";
import { scenarios } from "../index.ts";
import { calibrate, correctionText, stepsFor } from "./calibration.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";

/**
 * Calibrates against a server that refuses some requests. Returns what the calibration says and
 * sends.
 */
async function calibrated(isRefused: (spec: RequestSpec) => boolean) {
  const { run, lines } = runWith((spec) => (isRefused(spec) ? 422 : undefined));
  const steps = await calibrate(run, stepsFor(scenarios, requirementIds));
  const target = run.knowledge.corrected ?? run.target;
  const corrections = steps.map(correctionText).filter((text) => text !== undefined);
  return { target, corrections, sent: lines };
}

/** The method and the path in a line of what was sent, without the id of an operation. */
const endpointIn = (line: string): string =>
  (line.split(" | ")[0] ?? "").replace(/operation-\w+/, "…");

test("a server that accepts what is configured gets a counterparty, two operations, an item and another purpose", async () => {
  const { target, corrections, sent } = await calibrated(() => false);
  expect(corrections).toEqual([]);
  expect(target.amount).toEqual({ min: 10, max: 1000, decimals: 2 });
  expect(sent.map(endpointIn)).toEqual([
    "POST /customers/cust/counterparty",
    "POST /corporate/operation",
    "POST /corporate/operation/…/acam",
    "POST /corporate/operation",
    "POST /corporate/operation",
  ]);
});

test("a refused pair is replaced by an accepted one, and keeps its number", async () => {
  const names =
    (pair: string) =>
    ({ body }: RequestSpec): boolean =>
      typeof body !== "function" && memberOf(body, "currency_pair") === pair;
  const { target: other } = await calibrated(names("USDBRL"));
  expect(other.currencyPairs).toEqual(["EURBRL", "EURBRL"]);
  const { target, corrections } = await calibrated(names("EURBRL"));
  expect(target.currencyPairs).toEqual(["USDBRL", "USDBRL"]);
  expect(corrections).toEqual([expect.stringContaining("--currency-pairs")]);
});

test.each<[RequirementId, readonly string[]]>([
  ["AUTH-02", []],
  ["CPTY-04", ["counterparty"]],
  ["OPER-10", ["counterparty", "operation", "pairs"]],
  ["ACAM-01", ["counterparty", "operation", "item"]],
  ["ACAM-03", ["counterparty", "operation", "item", "purpose"]],
])("%s alone needs the steps %j", (id, wanted) => {
  const { scenarios: chosen } = selectScenarios(scenarios, {
    profile: "full",
    selection: [id],
    fewest: true,
  });
  expect(stepsFor(chosen, [id])).toEqual(wanted);
});

test.each([
  [{ min: 10, max: 1000, decimals: 2 }, 499.99],
  [{ min: 1, max: 1, decimals: 2 }, 1],
  [{ min: 0.01, max: 0.05, decimals: 2 }, 0.03],
  [{ min: 100, max: 900_000, decimals: 0 }, 449_999],
])("the first amount of %j is %d, with as few zeros as possible", (range, amount) => {
  expect(unroundAmount(range)).toBe(amount);
});

interface Terms {
  readonly kind: "person" | "company";
  readonly amount: number;
}

/**
 * Tries variations of 500 for a person on a server that takes at most 3 for a company and refuses
 * with these messages.
 */
async function vary(messageFor: (terms: Terms) => string) {
  const sent: Terms[] = [];
  const send = async (terms: Terms) => {
    sent.push(terms);
    return terms.kind === "company" && terms.amount <= 3
      ? exchangeOf("addAcamItem")
      : exchangeOf("addAcamItem", { status: 422, json: { message: messageFor(terms) } });
  };
  const first: Terms = { kind: "person", amount: 500 };
  const found = await acceptedVariation(
    { value: first, exchange: await send(first) },
    [
      ["kind", ["company"]],
      ["amount", [100, 10, 1]],
    ],
    send,
  );
  return { sent: sent.length, value: found?.value };
}

const wanted: Terms = { kind: "company", amount: 1 };

test("one message for two limits: both are varied, after each alone", async () => {
  expect(await vary(() => "companies only, and at most 3")).toEqual({ sent: 8, value: wanted });
});
