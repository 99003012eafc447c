import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { junit } from "./junit.ts";
import { corpus, hostileRun } from "../testing/hostile.ts";
import { fullRun, runs, toleratedRun } from "../testing/runs.ts";
import { xmlRoot, type Element } from "../testing/xml.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const all = {
  ...runs,
  tolerated: toleratedRun,
  whole: fullRun,
  hostile: hostileRun(Object.values(corpus).join(" ")),
};

/** A folder with `windyroad.xsd` and `junit-10.xsd`, which are not in the repository. */
const schemas = process.env["FXCONFORM_XSD_DIR"];

test.skipIf(!schemas).each(Object.entries(all))(
  "%s is valid against both schemas",
  { tags: "xmllint" },
  (_, run) => {
    const folder = temporaryFolder();
    const file = join(folder, "junit.xml");
    writeFileSync(file, junit.render(run));
    for (const schema of ["windyroad.xsd", "junit-10.xsd"]) {
      execFileSync("xmllint", ["--noout", "--schema", join(schemas ?? "", schema), file], {
        stdio: "pipe",
        timeout: 20_000,
      });
    }
  },
);

describe.each(Object.entries(all))("%s", (_, run) => {
  const root = xmlRoot(junit.render(run));

  test("has a case with a permanent name for each requirement, and one for the gate", () => {
    const names = root.children.flatMap((suite) =>
      casesOf(suite).map(({ attributes }) => attributes["name"]),
    );
    expect(names).toEqual([
      ...run.requirements.map((row) => `${row.id} ${row.statement}`),
      "fxconform.gate",
    ]);
  });

  test("has a failure if and only if the gate fails", () => {
    expect(failuresOf(root).length > 0).toBe(!run.gate.pass);
    expect(failuresOf(root).some(({ attributes }) => attributes["type"] === "gate")).toBe(
      !run.gate.pass,
    );
  });
});

test("the times of all cases add up to the duration of the run at most", () => {
  const requirements = runs.conformant.requirements.map((row) => ({ ...row, tookMs: 4_800 }));
  const root = xmlRoot(junit.render({ ...runs.conformant, requirements, durationMs: 4_800 }));
  const times = root.children.flatMap(casesOf).map(({ attributes }) => Number(attributes["time"]));
  const total = times.reduce((sum, time) => sum + time, 0);
  expect(total).toBeLessThanOrEqual(4.8 + 1e-9);
  expect(total).toBeGreaterThan(4.5);
  const suites = root.children.map(({ attributes }) => Number(attributes["time"]));
  expect(suites.reduce((sum, time) => sum + time, 0)).toBeLessThanOrEqual(4.8 + 1e-9);
});

test("a run that reached nothing fails no requirement and says why", () => {
  const root = xmlRoot(junit.render(runs.inconclusive));
  expect(failuresOf(root).map(({ attributes, text }) => [attributes["type"], text])).toEqual([
    ["gate", runs.inconclusive.summary],
  ]);
  const messages = root.children
    .flatMap(casesOf)
    .flatMap((each) => each.children.filter(({ name }) => name === "skipped"))
    .map(({ attributes }) => attributes["message"]);
  expect(messages).toHaveLength(runs.inconclusive.requirements.length);
  expect(new Set(messages).size).toBe(1);
});

function casesOf(suite: Element): readonly Element[] {
  return suite.children.filter(({ name }) => name === "testcase");
}

function failuresOf(root: Element): readonly Element[] {
  return root.children
    .flatMap(casesOf)
    .flatMap((each) => each.children.filter(({ name }) => name === "failure"));
}
