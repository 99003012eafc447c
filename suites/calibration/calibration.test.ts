import { expect, test } from "vitest";
import type { RequestSpec } from "../../model/request.ts";
import { memberOf } from "../../spec/json.ts";
import { requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import { selectScenarios } from "../run/selection.ts";
import { runWith } from "../testing/sent-by.ts";
import { unroundAmount } from "./steps.ts";
import { scenarios } from "../index.ts";
import { calibrate, correctionText, stepsFor } from "./calibration.ts";

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
