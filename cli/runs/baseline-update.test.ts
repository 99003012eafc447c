import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runs } from "../../reports/testing/runs.ts";
import type { Run } from "../../model/run.ts";
import { local, testContext } from "../testing/test-context.ts";

const { nonconformant, conformant, interrupted } = runs;
const words = `run ${local} --reports json --update-baseline`;
test("a run writes its failures; what passes later goes, what still fails or is left out stays", async () => {
  let run = nonconformant;
  const here = testContext(() => Promise.resolve(run));
  const path = join(here.folder, "fxconform.baseline.yaml");
  const first = await here.run(words);
  expect(first.stderr).toContain("fxconform.baseline.yaml is updated: 2 added, 2 known failures.");
  expect(first.code).toBe(1);
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/^# yaml-language-server: \$schema=.*baseline\.schema\.json\n/);
  expect(text).toMatch(/- requirement: OPER-02\n {2}reason: .+\n {2}expires: 2030-01-31\n/);
  expect(
    (await here.run(`run ${local} --reports json --baseline ${path}`)).started[0]?.baseline,
  ).toEqual([
    expect.objectContaining({ requirement: "OPER-02" }),
    expect.objectContaining({ requirement: "ACAM-03" }),
  ]);

  here.file(
    "fxconform.baseline.yaml",
    "# ours\n- requirement: OPER-02 # soon\n  reason: ticket 5\n  expires: 2031-05-05\n\n- { requirement: AUTH-01, reason: old, expires: 2031-05-05 }\n",
  );
  run = {
    ...run,
    requirements: run.requirements.map((row) =>
      row.id === "ACAM-03" ? { ...row, verdict: "skip" } : row,
    ),
  };
  expect((await here.run(words)).stderr).toContain("1 removed, 1 known failure.");
  expect(readFileSync(path, "utf8")).toBe(
    "# ours\n- requirement: OPER-02 # soon\n  reason: ticket 5\n  expires: 2031-05-05\n",
  );
  expect((await here.run(words)).stderr).toContain(
    "fxconform.baseline.yaml is unchanged: 1 known failure.",
  );
  expect(readdirSync(here.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a baseline that became a device during the run is not read", async () => {
  const path = (): string => join(here.folder, "fxconform.baseline.yaml");
  const here = testContext(() => {
    symlinkSync("/dev/zero", path());
    return Promise.resolve(nonconformant);
  });
  const { code, stderr } = await here.run(words);
  expect(stderr).toContain(
    "fxconform.baseline.yaml is not updated: --update-baseline: names what is a device",
  );
  expect(code).toBe(4);
});

test.each<[string, Run]>([
  ["is interrupted", interrupted],
  ["has no failure", conformant],
])("a run that %s writes no baseline", async (_, run) => {
  const here = testContext(() => Promise.resolve(run));
  await here.run(words);
  expect(existsSync(join(here.folder, "fxconform.baseline.yaml"))).toBe(false);
});
