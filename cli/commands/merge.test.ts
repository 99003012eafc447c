import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { json } from "../../reports/formats/json.ts";
import { readRun } from "../../reports/read.ts";
import { concluded, runs } from "../../reports/testing/runs.ts";
import type { Run } from "../../model/run.ts";
import { expectRefused, testContext, type TestContext } from "../testing/test-context.ts";

const { conformant, nonconformant } = runs;

/** Writes the runs as 1.json, 2.json and so on, each with its own seed, and merges them. */
async function merged(given: readonly Run[], words = "", here: TestContext = testContext()) {
  const names = given.map((run, index) => {
    const own = { ...run, seed: index + 1, runId: `run-${index + 1}` };
    writeFileSync(join(here.folder, `${index + 1}.json`), json.render(own));
    return `${index + 1}.json`;
  });
  const result = await here.run(`merge ${names.join(" ")} -o all ${words}`.trim());
  const path = join(here.folder, "all/report.json");
  return { ...result, run: existsSync(path) ? readRun(readFileSync(path, "utf8")) : undefined };
}

/** A run in which one requirement has another verdict. */
function saying(
  verdict: Run["requirements"][number]["verdict"],
  more: Partial<Run["requirements"][number]> = {},
): Run {
  return concluded({
    exchanges: nonconformant.exchanges,
    requirements: conformant.requirements.map((row) =>
      row.id === "OPER-02"
        ? {
            ...row,
            verdict,
            ...(verdict === "inconclusive" ? { reason: "no answer" } : {}),
            findings: [],
            ...more,
          }
        : row,
    ),
  });
}
const findings = nonconformant.requirements.find(({ id }) => id === "OPER-02")?.findings ?? [];
const passing = saying("pass");
const failing = saying("fail", { findings });
const unsure = saying("inconclusive");
const stopped = saying("skip", { skippedBy: "selection" });

test.each<[string, readonly Run[], string, string, string | undefined]>([
  ["failed anywhere", [passing, failing], "fail", "nonconformant", undefined],
  ["passed somewhere", [unsure, passing], "pass", "conformant", undefined],
  ["passed, and not checked elsewhere", [stopped, passing], "pass", "conformant", undefined],
  ["no verdict anywhere", [unsure, unsure], "inconclusive", "inconclusive", "no answer"],
])("a requirement that %s", async (_, given, verdict, outcome, reason) => {
  const { run } = await merged(given);
  const row = run?.requirements.find(({ id }) => id === "OPER-02");
  expect([row?.verdict, row?.reason, run?.outcome]).toEqual([verdict, reason, outcome]);
});

test.each<[string, Partial<Run>, string]>([
  [
    "target",
    { target: { baseUrl: "https://other" } },
    `https://other, not ${conformant.target.baseUrl}`,
  ],
  [
    "catalogue",
    { tool: { name: "fxconform", version: "9.9.9" } },
    `${conformant.requirements.length} requirements of fxconform 9.9.9, not ${conformant.requirements.length}`,
  ],
  ["selection", { profile: "smoke" }, '{"profile":"smoke"}, not {"profile":"full"}'],
])("reports with another %s are refused", async (name, change, text) => {
  const { run, ...result } = await merged([conformant, conformant, { ...conformant, ...change }]);
  expectRefused(result, `3.json: has another ${name} than`, text, "different seeds only");
  expect(run).toBeUndefined();
});

test("a merged report has the samples of all", async () => {
  const second = {
    ...failing,
    requests: 5,
    startedAt: "2025-01-01T00:00:00.000Z",
    durationMs: 1,
    peakInFlight: 99,
  };
  const { run = expect.fail("no report") } = await merged([passing, second]);
  expect(run).toMatchObject({
    seed: 1,
    seeds: [1, 2],
    requests: passing.requests + 5,
    startedAt: second.startedAt,
    peakInFlight: 99,
  });
  expect(Date.parse(run.startedAt) + run.durationMs).toBe(
    Date.parse(passing.startedAt) + passing.durationMs,
  );
  expect(run.latency.map(({ count }) => count)).toEqual(
    passing.latency.map(({ count }) => 2 * count),
  );
  expect(run.observations.flatMap(({ answers }) => answers.map(({ count }) => count))).toEqual(
    passing.observations.flatMap(({ answers }) => answers.map(({ count }) => 2 * count)),
  );
  expect(new Set(run.exchanges.map(({ id }) => id)).size).toBe(
    passing.exchanges.length + failing.exchanges.length,
  );
  const pointed = run.requirements.flatMap(({ findings: found }) =>
    found.flatMap(({ exchange }) => exchange ?? []),
  );
  expect(pointed.length).toBeGreaterThan(0);
  for (const id of pointed) {
    const { id: _, ...shown } =
      run.exchanges.find((one) => one.id === id) ?? expect.fail(`no exchange ${id}`);
    expect(failing.exchanges).toContainEqual({ ...shown, id: expect.any(Number) });
  }
});

test("merge judges the gate by its own options", async () => {
  const here = testContext();
  here.file("known.yaml", "- { requirement: OPER-02, reason: known, expires: 2099-01-01 }");
  expect(await merged([passing, failing], "--baseline known.yaml", here)).toMatchObject({
    code: 0,
    run: { gate: { tolerated: [{ requirement: "OPER-02" }] } },
  });
  expect(await merged([unsure, unsure], "--strict", here)).toMatchObject({
    code: 3,
    run: { gate: { reasons: [{ kind: "not-judged", requirement: "OPER-02" }] } },
  });
  expect(await merged([passing], "--baseline missing.yaml", here)).toMatchObject({ code: 2 });
});

test("a report that is named twice, or that a merged one contains, is no second sample", async () => {
  const here = testContext();
  await merged([passing, unsure], "", here);
  for (const words of ["merge 1.json 2.json 1.json", "merge all/report.json 2.json"]) {
    const { code, stderr } = await here.run(`${words} -o again`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/[12]\.json: holds the same run as \S+\.json, which would count twice/);
  }
});
