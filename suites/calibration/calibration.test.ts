import { expect, test } from "vitest";
import type { RequestSpec } from "../../model/request.ts";
import { memberOf } from "../../spec/json.ts";
import { operationNames } from "../../spec/operations.ts";
import { requirementIds } from "../../spec/catalogue.ts";
import { runWith } from "../testing/sent-by.ts";
import { unroundAmount } from "./amounts.ts";
import { calibrate, correctionText } from "./calibration.ts";

/** Calibrates on a server that refuses some requests; returns what it says, and what it sent. */
async function calibrated(isRefused: (spec: RequestSpec) => boolean) {
  const { run, lines } = runWith((spec) => (isRefused(spec) ? 422 : undefined));
  const { target, corrections } = await calibrate(run, operationNames, requirementIds);
  return {
    target,
    corrections: corrections.map(correctionText),
    sent: lines,
    knowledge: run.knowledge,
  };
}

function amountOf({ body }: RequestSpec): number {
  return typeof body === "function" ? 0 : Number(memberOf(body, "currency_amount"));
}

test("a server that accepts what is configured gets a counterparty, two operations, an item and another purpose", async () => {
  const { target, corrections, sent } = await calibrated(() => false);
  expect(corrections).toEqual([]);
  expect(target.amount).toEqual({ min: 10, max: 1000, decimals: 2 });
  expect(sent.map((line) => line.split(" | ")[0])).toEqual([
    "POST /customers/cust/counterparty",
    "POST /corporate/operation",
    "POST /corporate/operation/operation-2/acam",
    "POST /corporate/operation",
    "POST /corporate/operation",
  ]);
});

test("a narrower range of amounts takes the place of the configured one, and a correction says so", async () => {
  const { target, corrections } = await calibrated(
    (spec) => spec.operation === "createOperation" && amountOf(spec) > 20,
  );
  expect(target.amount.max).toBeLessThanOrEqual(20);
  expect(corrections).toEqual([
    expect.stringMatching(
      /^POST \/corporate\/operation refused an operation of 499\.99 in USDBRL for EFX with 422/,
    ),
  ]);
});

test("multiples of a hundred are found, though a round amount would have been accepted by luck", async () => {
  const { target } = await calibrated(
    (spec) => spec.operation === "createOperation" && amountOf(spec) % 100 !== 0,
  );
  expect(target.amount).toEqual({ min: 100, max: 1000, decimals: -2 });
});

test("a refused pair is replaced by an accepted one, and keeps its number", async () => {
  const isOther = ({ body }: RequestSpec): boolean =>
    typeof body !== "function" && memberOf(body, "currency_pair") === "USDBRL";
  expect((await calibrated(isOther)).target.currencyPairs).toEqual(["EURBRL", "EURBRL"]);
  const isSecond = ({ body }: RequestSpec): boolean =>
    typeof body !== "function" && memberOf(body, "currency_pair") === "EURBRL";
  const { target, corrections } = await calibrated(isSecond);
  expect(target.currencyPairs).toEqual(["USDBRL", "USDBRL"]);
  expect(corrections).toEqual([expect.stringContaining("--currency-pairs")]);
});

test("a server that takes items of companies alone gets no others", async () => {
  const isPerson = ({ operation, body }: RequestSpec): boolean =>
    operation === "addAcamItem" &&
    typeof body !== "function" &&
    JSON.stringify(memberOf(body, "tax_id")).length === 13;
  const { knowledge } = await calibrated(isPerson);
  expect(knowledge.acceptedTaxIdLength).toBe(14);
});

test.each([
  [{ min: 10, max: 1000, decimals: 2 }, 499.99],
  [{ min: 1, max: 1, decimals: 2 }, 1],
  [{ min: 0.01, max: 0.05, decimals: 2 }, 0.03],
  [{ min: 100, max: 900_000, decimals: 0 }, 449_999],
])("the first amount of %j is %d, with as few zeros as possible", (range, amount) => {
  expect(unroundAmount(range)).toBe(amount);
});
