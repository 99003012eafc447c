import { expect, test, vi } from "vitest";
import { referenceRuns } from "./reference-run.ts";

vi.setConfig({ testTimeout: 120_000 });

const { against, fxconform } = referenceRuns("verdict-test-key-8f2c");

test("the reference server is conformant, with at most 830 requests and all pairs covered", async () => {
  const { code, run, stdout } = await against({}, (words) =>
    fxconform(["run", ...words, "--verbose"]),
  );
  expect(run.outcome).toBe("conformant");
  expect(code).toBe(0);
  expect(run.requirements.filter(({ verdict }) => verdict !== "pass").map(({ id }) => id)).toEqual(
    [],
  );
  expect(run.requests).toBeLessThanOrEqual(830);
  expect(run.peakInFlight).toBeLessThanOrEqual(8);
  const refusals = run.observations.filter(({ id }) => id === "OPEN-07" || id === "OPEN-11");
  expect(refusals.flatMap(({ answers }) => answers.map((one) => one.case))).toEqual(
    expect.arrayContaining([
      "without an API key",
      "an operation that does not exist",
      "an operation that is not EFX",
    ]),
  );
  // Of odd texts, a server may refuse some; all were sent.
  const missing = run.coverage?.map((one) => [
    one.of,
    one.missing.filter(({ status }) => one.of !== "odd texts" || status === undefined),
  ]);
  expect(Object.fromEntries(missing ?? [])).toEqual({
    payees: [],
    operations: [],
    items: [],
    "odd texts": [],
  });
  expect(stdout).toMatch(/^Covered: \d+ of \d+ pairs of \d+ attributes,? .*% of the triples/m);
});
