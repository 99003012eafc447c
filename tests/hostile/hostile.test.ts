import { describe, expect, test } from "vitest";
import { readRun } from "../../reports/read.ts";
import type { Run } from "../../reports/run.ts";
import { xmlRoot } from "../../reports/testing/xml.ts";
import type { HostileTarget } from "./hostile-target.ts";
import { hostileTargets } from "./targets/index.ts";
import { trialOf, type Trial } from "./trial.ts";

/** Runs at once: they share the machine with whatever else is tested. */
const lanes = 2;
const isLongToo = process.env["FXCONFORM_LONG"] !== undefined;

const outcomes = { 0: "conformant", 1: "nonconformant", 3: "inconclusive" } as const;

describe("every hostile target is told the truth about, in time", () => {
  const trials = inLanes(hostileTargets.filter((target) => target.isLong === undefined || isLongToo));

  test("no two have one name", () => {
    expect(new Set(hostileTargets.map(({ id }) => id)).size).toBe(hostileTargets.length);
  });

  test.concurrent.each([...trials])(
    "%s",
    async (_, [target, trial]) => judge(target, await trial),
    (hostileTargets.length / lanes) * 60_000,
  );
});

function judge(target: HostileTarget, trial: Trial): void {
  const { code, stdout, stderr, report, junit } = trial;
  const told = `${target.does}\n${stderr}\n${stdout}`;
  expect(target.exits, told).toContain(code);

  const run = readRun(report);
  expect(run.outcome, told).toBe(outcomes[code as keyof typeof outcomes]);
  expect(xmlRoot(junit).name).toBe("testsuites");
  expect(report.length).toBeLessThan(5_000_000);
  judgeBlame(target, run, told);
  if (target.says !== undefined) expect(`${stdout}\n${run.warnings.join("\n")}`).toMatch(target.says);

  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(stdout.length + stderr.length).toBeLessThan(100_000);
  expect(trial.complaints).toEqual([]);
  expect(trial.megabytes).toBeGreaterThan(20);
  expect(trial.megabytes, told).toBeLessThan(target.megabytes ?? 450);
}

function judgeBlame(
  { blamed = [], also = blamed.length > 0 ? [] : "any" }: HostileTarget,
  run: Run,
  told: string,
): void {
  const failed = run.requirements.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  expect(failed, told).toEqual(expect.arrayContaining([...blamed]));
  if (also !== "any")
    expect(
      failed.filter((id) => !blamed.includes(id) && !also.includes(id)),
      told,
    ).toEqual([]);
}

/** Starts the trials, so many at a time; each test waits for its own. */
function inLanes(targets: readonly HostileTarget[]): ReadonlyMap<string, readonly [HostileTarget, Promise<Trial>]> {
  const free = Array.from({ length: lanes }, () => Promise.resolve());
  return new Map(
    targets.map((target, index) => {
      const before = free[index % lanes] ?? Promise.resolve();
      const trial = before.then(async () => trialOf(target));
      free[index % lanes] = trial.then(
        () => undefined,
        () => undefined,
      );
      return [target.id, [target, trial]] as const;
    }),
  );
}
