import { describe, expect, test } from "vitest";
import type { RequirementId } from "../spec/catalogue.ts";
import { referenceRuns } from "./reference-run.ts";

const { against, fxconform } = referenceRuns("verdict-test-key-8f2c");

test("the reference is conformant, within the promised number of requests", async () => {
  const { code, run } = await against({}, (words) => fxconform(["run", ...words]));
  expect(run.outcome).toBe("conformant");
  expect(code).toBe(0);
  expect(run.requirements.filter(({ verdict }) => verdict !== "pass").map(({ id }) => id)).toEqual([]);
  expect(run.requests).toBeLessThanOrEqual(800);
  expect(run.peakInFlight).toBeLessThanOrEqual(8);
  const refusals = run.observations.filter(({ id }) => id === "OPEN-07" || id === "OPEN-11");
  expect(refusals.flatMap(({ answers }) => answers.map((one) => one.case))).toEqual(
    expect.arrayContaining(["without an API key", "an operation that does not exist", "an operation that is not EFX"]),
  );
});

describe("a fault of each area is blamed on what it breaks, and its replay line finds it again", () => {
  const table: readonly (readonly [string, RequirementId])[] = [
    ["token-empty", "AUTH-01"],
    ["key-injected", "AUTH-08"],
    ["counterparty-id-number", "CPTY-01"],
    ["operation-status-created", "OPER-02"],
    ["acam-message-full-stop", "ACAM-01"],
    ["operation-utf-16", "HTTP-03"],
    ["batched-batch-other", "BATCH-35"],
  ];
  test.each(table)("%s breaks %s", async (fault, requirement) => {
    await against({ faults: [fault] }, async (words) => {
      const { code, run, verdictOf } = await fxconform(["run", ...words]);
      expect(code).toBe(1);
      expect(run.outcome).toBe("nonconformant");
      expect(verdictOf(requirement)).toBe("fail");
      const replay = run.requirements.find(({ id }) => id === requirement)?.findings[0]?.replay ?? "";
      expect(replay).toMatch(/ replay .*report\.json --only /);
      const again = await fxconform(wordsOf(replay.slice(replay.indexOf(" replay "))));
      expect(again.verdictOf(requirement)).toBe("fail");
      expect(again.run.requests).toBeLessThanOrEqual(run.requests);
    });
  });
});

test("a fault that is there only sometimes says how often", async () => {
  const { run } = await against({ faults: ["sometimes-crashes"] }, (words) => fxconform(["run", ...words]));
  const found = run.requirements.flatMap(({ findings }) => findings).map(({ repeated }) => repeated);
  expect(found.some((text) => /^[123] of 3$/.test(text ?? ""))).toBe(true);
});

test("the same seed has the same verdicts and findings", async () => {
  const faults = ["operation-amount-float32", "operation-currency-pair-optional"];
  const seen = await against({ faults: faults.slice(0, 1) }, async (words) => {
    const args = ["run", ...words, "--seed", "77"];
    return [await fxconform(args), await fxconform(args)];
  });
  const [first, second] = seen.map(({ run }) =>
    run.requirements.map(({ id, verdict, findings }) => [id, verdict, findings.map(({ message }) => message)]),
  );
  expect(second).toEqual(first);
});

test("with one request in flight, what needs several is inconclusive and nothing else changes", async () => {
  const { code, run } = await against({}, (words) => fxconform(["run", ...words, "--concurrency", "1"]));
  expect(code).toBe(0);
  const rest = run.requirements.filter(({ verdict }) => verdict !== "pass");
  expect(rest.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    "CPTY-11 inconclusive",
    "OPER-16 inconclusive",
    "BATCH-07 inconclusive",
  ]);
  expect(run.peakInFlight).toBe(1);
});

test("a wrong key gives no verdict", async () => {
  const { code, run } = await against({}, (words) => fxconform(["run", ...words, "--api-key", "another-key-entirely"]));
  expect(code).toBe(3);
  expect(run.outcome).toBe("inconclusive");
  expect(run.requirements.every(({ verdict }) => verdict === "inconclusive")).toBe(true);
  expect(run.summary).toMatch(/--api-key/);
});

test("an untrusted certificate gives no verdict", async () => {
  const { code, run } = await against({}, (words) =>
    fxconform(["run", ...words.filter((word) => !/ca$|ca\.pem$/.test(word))]),
  );
  expect(code).toBe(3);
  expect(run.summary).toMatch(/--ca/);
});

test("a target that does not exist gives no verdict, and quickly", async () => {
  const { code, run } = await fxconform(["run", "--base-url", "https://127.0.0.1:9", "--customer-id", "c"]);
  expect(code).toBe(3);
  expect(run.summary).toMatch(/ECONNREFUSED.*Is the server running/);
  expect(run.durationMs).toBeLessThan(5000);
});

/** The words of a line that is quoted for a shell. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
