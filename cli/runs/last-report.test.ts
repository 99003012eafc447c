import { expect, test } from "vitest";
import type { Run } from "../../model/run.ts";
import { runs } from "../../reports/testing/runs.ts";
import { local, testContext } from "../testing/test-context.ts";

const { conformant, nonconformant, inconclusive } = runs;

/** A folder in which each command runs and gets the next of these results. */
function inTurn(...results: readonly Run[]) {
  let turn = 0;
  const here = testContext(() => {
    const run = results[turn];
    turn += 1;
    return run === undefined ? Promise.reject(new Error("no more runs")) : Promise.resolve(run);
  });
  const idIn = (name: string): unknown => (JSON.parse(here.read(name)) as Run).runId;
  return { ...here, idIn, check: (more = "") => here.run(`run ${local}${more}`) };
}

function named(run: Run, runId: string, more: Partial<Run> = {}): Run {
  return {
    ...run,
    runId,
    ...more,
  };
}

test("the last report with a verdict stays beside a new one, whatever comes after it", async () => {
  const { check, idIn, reports } = inTurn(
    named(nonconformant, "first"),
    named(inconclusive, "second"),
    named(inconclusive, "third"),
    named(conformant, "fourth"),
    named(conformant, "fifth"),
  );
  await check();
  expect(reports()).not.toContain("previous.json");
  for (const [report, previous] of [
    ["second", "first"],
    ["third", "first"],
    ["fourth", "first"],
    ["fifth", "fourth"],
  ]) {
    const { stderr } = await check();
    expect([idIn("report.json"), idIn("previous.json")]).toEqual([report, previous]);
    expect(stderr).not.toContain("previous.json");
  }
});

test("console and page say what changed since the last run", async () => {
  const mended = nonconformant.requirements.map((row) =>
    row.id === "OPER-02" ? { ...row, verdict: "pass" as const, findings: [] } : row,
  );
  const { check, read } = inTurn(
    named(nonconformant, "first", { startedAt: "2026-11-24T14:02:03.000Z" }),
    named({ ...nonconformant, requirements: mended }, "second", {
      startedAt: "2026-11-24T15:00:00.000Z",
    }),
    named(nonconformant, "third", { target: { baseUrl: "https://other.example" } }),
  );
  expect((await check()).stdout).not.toContain("ince the last run");
  const text = "ince the last run on 24 Nov 2026 14:02 UTC: 1 still failing, 1 fixed";
  expect((await check()).stdout).toContain(`\nS${text}.\n`);
  expect(read("report.html")).toContain(text);
  expect((await check()).stdout).not.toContain("ince the last run");
});
