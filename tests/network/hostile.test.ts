import { afterAll, describe, expect, test } from "vitest";
import { readRun } from "../../reports/read.ts";
import type { Run } from "../../model/run.ts";
import { xmlRoot } from "../../reports/testing/xml.ts";
import type { HostileTarget } from "../hostile/hostile-target.ts";
import { hostileTargets } from "../hostile/targets/index.ts";
import { trialOf, type Trial } from "../hostile/trial.ts";
import { createWarmProgram } from "../warm-program.ts";

/** Two programs at a time, because other tests run on the same machine. */
const programs = [createWarmProgram(), createWarmProgram()];
afterAll(() => {
  for (const { close } of programs) close();
});

const outcomes = { 0: "conformant", 1: "nonconformant", 3: "inconclusive" } as const;

test("target ids are unique", () => {
  expect(new Set(hostileTargets.map(({ id }) => id)).size).toBe(hostileTargets.length);
});

describe("fxconform reports in time and correctly on a target that", () => {
  test.concurrent.each(hostileTargets.map((target, index) => ({ ...target, index })))(
    "$id: $does",
    async ({ index, ...target }) => {
      const program = programs[index % programs.length] ?? expect.fail("no program");
      judge(target, await trialOf(target, program));
    },
    900_000,
  );
});

function judge(target: HostileTarget, trial: Trial): void {
  const { code, stdout, stderr, report, junit } = trial;
  const output = `${target.does}\n${stderr}\n${stdout}`;
  expect(code, output).toBe(target.exits);

  const run = readRun(report);
  expect(run.outcome, output).toBe(
    code === 0 && !run.complete ? "partial" : outcomes[target.exits],
  );
  expect(xmlRoot(junit).name).toBe("testsuites");
  expect(report.length).toBeLessThan(5_000_000);
  judgeBlame(target, run, output);
  if (target.says !== undefined)
    expect(`${stdout}\n${run.warnings.join("\n")}`).toMatch(target.says);

  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(stdout.length + stderr.length).toBeLessThan(100_000);
  expect(trial.complaints).toEqual([]);
  expect(trial.megabytes).toBeGreaterThan(20);
  expect(trial.megabytes, output).toBeLessThan(target.megabytes ?? 650);
}

function judgeBlame(
  { blamed = [], also = blamed.length > 0 ? [] : "any" }: HostileTarget,
  run: Run,
  output: string,
): void {
  const failed = run.requirements.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  expect(failed, output).toEqual(expect.arrayContaining([...blamed]));
  if (also !== "any")
    expect(
      failed.filter((id) => !blamed.includes(id) && !also.includes(id)),
      output,
    ).toEqual([]);
}
