import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { prepareReportFolder } from "./report-folder.ts";

const reports = [{ file: "report.json" }, { file: "junit.xml" }];
const ours = JSON.stringify({ tool: { name: "fxconform" }, requirements: [] });

test("a folder is made, and nothing is left in it", () => {
  const folder = join(temporaryFolder(), "deep", "reports");
  prepareReportFolder(folder, "reportDir", reports);
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder where a report should go is in the way of that report alone", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "junit.xml"));
  expect(() => prepareReportFolder(folder, "--report-dir", reports)).toThrow(
    `names ${folder}, which holds a junit.xml that fxconform did not write and that would be lost. Move it away, or choose another folder by --report-dir.`,
  );
  prepareReportFolder(folder, "--report-dir", [{ file: "report.json" }]);
});

test("no report takes the place of a file that fxconform did not write", () => {
  for (const file of ["junit.xml", "summary.md", "report.html", "fxconform.prom"]) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, file), "of somebody else");
    expect(() => prepareReportFolder(folder, "reportDir", [{ file }])).toThrow("would be lost");
  }
});

test.each(["report.json", "previous.json"])(
  "a %s of another program is not written over",
  (file) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, file), '{"tool":{"name":"another"}}');
    expect(() => prepareReportFolder(folder, "reportDir", reports)).toThrow(
      `holds a ${file} that fxconform did not write and that would be lost`,
    );
    // The file would not be overwritten, because no report has its name.
    prepareReportFolder(folder, "reportDir", [{ file: "junit.xml" }]);
    writeFileSync(join(folder, file), ours);
    prepareReportFolder(folder, "reportDir", reports);
  },
);
