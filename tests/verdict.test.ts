import { expect, test, vi } from "vitest";
import { referenceRuns } from "./reference-run.ts";

vi.setConfig({ testTimeout: 120_000 });

const { against, fxconform } = referenceRuns("verdict-test-key-8f2c");

test("the reference server is conformant, with at most 800 requests and all pairs covered", async () => {
  const { code, run, stdout } = await against({}, (words) =>
    fxconform(["run", ...words, "--verbose"]),
  );
  expect(run.outcome).toBe("conformant");
  expect(code).toBe(0);
  expect(run.requirements.filter(({ verdict }) => verdict !== "pass").map(({ id }) => id)).toEqual(
    [],
  );
  expect(run.requests).toBeLessThanOrEqual(800);
  expect(run.peakInFlight).toBeLessThanOrEqual(8);
  const refusals = run.observations.filter(({ id }) => id === "OPEN-07" || id === "OPEN-11");
  expect(refusals.flatMap(({ answers }) => answers.map((one) => one.case))).toEqual(
    expect.arrayContaining([
      "without an API key",
      "an operation that does not exist",
      "an operation that is not EFX",
    ]),
  );
  expect(run.coverage?.map(({ of, missing }) => [of, missing])).toEqual([
    ["payees", []],
    ["operations", []],
    ["items", []],
  ]);
  expect(stdout).toMatch(/^Covered: all \d+ pairs of \d+ attributes .*% of the triples\.$/m);
});

test("a run says which pairs the server kept from being covered", async () => {
  const variants = ["banks-of-one-country"];
  const partial = await against({ variants }, (words) => fxconform(["run", ...words]));
  expect(partial.run.outcome).toBe("conformant");
  const [payees] = partial.run.coverage ?? [];
  expect(payees?.pairs.covered).toBeLessThan(payees?.pairs.of ?? 0);
  expect(payees?.missing).toContainEqual(
    expect.objectContaining({ with: "region United States", status: 422 }),
  );
  // A refusal keeps its own value out, and the accounts that only it has, and nothing else.
  const kept = payees?.missing.filter((one) => !/^(region|account ABA)/.test(one.with));
  expect(kept).toEqual([]);
});

test.each([["batched-batch-other", "BATCH-35"]] as const)(
  "%s breaks %s, and the replay line finds it again",
  async (fault, requirement) => {
    await against({ faults: [fault] }, async (words) => {
      const { code, run, verdictOf } = await fxconform(["run", ...words]);
      expect([code, run.outcome, verdictOf(requirement)]).toEqual([1, "nonconformant", "fail"]);
      const replay =
        run.requirements.find(({ id }) => id === requirement)?.findings[0]?.replay ?? "";
      expect(replay).toMatch(/ replay .*report\.json .*--only /);
      const again = await fxconform(wordsOf(replay.slice(replay.indexOf(" replay "))));
      expect(again.verdictOf(requirement)).toBe("fail");
      expect(again.run.requests).toBeLessThanOrEqual(run.requests);
    });
  },
);

test("the same seed has the same verdicts and findings", async () => {
  const seen = await against({ faults: ["operation-amount-float32"] }, async (words) => {
    const args = ["run", ...words, "--seed", "77", "--only", "OPER-06", "--concurrency", "1"];
    return [await fxconform(args), await fxconform(args)];
  });
  const [first, second] = seen.map(({ run }) =>
    run.requirements.map(({ id, verdict, findings }) => [
      id,
      verdict,
      findings.map(({ message }) => message),
    ]),
  );
  expect(second).toEqual(first);
});

test("with one request in flight, only requirements that need several are inconclusive", async () => {
  const { code, run } = await against({}, (words) =>
    fxconform(["run", ...words, "--concurrency", "1"]),
  );
  expect(code).toBe(0);
  const rest = run.requirements.filter(({ verdict }) => verdict !== "pass");
  expect(rest.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    "CPTY-11 inconclusive",
    "OPER-16 inconclusive",
    "BATCH-07 inconclusive",
  ]);
  expect(run.peakInFlight).toBe(1);
});

/** The arguments in a line that was quoted for a shell. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
}
