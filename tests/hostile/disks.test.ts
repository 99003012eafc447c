import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { renderers } from "../../reports/index.ts";
import { readRun } from "../../reports/read.ts";
import type { Running } from "./hostile-target.ts";
import { credentials, obedientBut } from "./obedient-but.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { executed, type Ended } from "../execution.ts";

const bin = process.env["FXCONFORM_BIN"] ?? fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));

let server: Running;
let requests = 0;
let onRequest = (): void => undefined;

beforeAll(async () => {
  server = await obedientBut(async (call) => {
    requests += 1;
    onRequest();
    call.send(await call.obedient());
  });
});
beforeEach(() => {
  requests = 0;
  onRequest = () => undefined;
});
afterAll(() => server.close());

const earlier = JSON.stringify({ formatVersion: 1, tool: { name: "fxconform" }, note: "an earlier run" });

test.skipIf(!canMount())("a disk that is full costs the reports, not the verdict, and no earlier report", async () => {
  const folder = mounted("size=32k");
  writeFileSync(join(folder, "report.json"), earlier);
  const { code, stdout, stderr } = await run(folder);
  expect(code, stderr).toBe(4);
  expect(stdout).toContain("partial");
  expect(stderr).toContain("no space is left on the disk (ENOSPC). Earlier reports there are untouched.");
  expect(readdirSync(folder)).toEqual(["report.json"]);
  expect(readFileSync(join(folder, "report.json"), "utf8")).toBe(earlier);
});

test.skipIf(isRoot() && !canMount())(
  "a folder that cannot be written to is found before anything is asked",
  async () => {
    const folder = isRoot() ? mounted("ro") : temporaryFolder();
    if (!isRoot()) chmodSync(folder, 0o555);
    const { code, stdout, stderr } = await run(folder);
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: "", requests: 0 });
    expect(stderr).toMatch(/is not a folder that can be written to \((EROFS|EACCES)\)/);
  },
);

test("a file in the place of the folder is left as it is", async () => {
  const file = join(temporaryFolder(), "taken");
  writeFileSync(file, "mine");
  const { code, stdout, stderr } = await run(file);
  expect({ code, stdout, requests }).toEqual({ code: 2, stdout: "", requests: 0 });
  expect(stderr).toContain("--report-dir");
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test.each([
  ["of another version", '{"formatVersion":2}'],
  ["of something else", '{"tests":[]}'],
  ["that is not JSON", "<html>"],
])("a report.json %s is left as it is", async (_, text) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "report.json"), text);
  const { code, stderr } = await run(folder);
  expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  expect(stderr).toContain("would be lost");
  expect(readFileSync(join(folder, "report.json"), "utf8")).toBe(text);
});

test("two runs at once in one folder leave whole reports and nothing else", async () => {
  const folder = join(temporaryFolder(), "reports");
  const both = await Promise.all([run(folder), run(folder)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const files = readdirSync(folder).toSorted();
  expect(files).toHaveLength(Object.keys(renderers).length);
  expect(files.filter((name) => name.startsWith("."))).toEqual([]);
  expect(readRun(readFileSync(join(folder, "report.json"), "utf8")).outcome).toBe("partial");
  expect(readFileSync(join(folder, "report.html"), "utf8").trimEnd()).toMatch(/<\/html>$/);
});

test("a folder that is deleted while the run goes on is made again", async () => {
  const folder = join(temporaryFolder(), "reports");
  onRequest = () => rmSync(folder, { recursive: true, force: true });
  const { code } = await run(folder);
  expect(code).toBe(0);
  expect(existsSync(join(folder, "report.json"))).toBe(true);
});

test("a folder that becomes a file while the run goes on costs the reports, not the verdict", async () => {
  const folder = join(temporaryFolder(), "reports");
  onRequest = () => {
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, "mine");
  };
  const { code, stdout, stderr } = await run(folder);
  expect(code).toBe(4);
  expect(stdout).toContain("partial");
  expect(stderr).toContain("The reports could not be written");
  expect(readFileSync(folder, "utf8")).toBe("mine");
});

const run = (reportDir: string): Promise<Ended> => {
  const target = ["--base-url", server.baseUrl, "--customer-id", credentials.customerId];
  const words = ["run", ...target, "--only", "OPER-02", "--report-dir", reportDir];
  const { GITHUB_STEP_SUMMARY: _, ...others } = process.env;
  const env = { ...others, FXCONFORM_API_KEY: credentials.apiKey };
  return executed(process.execPath, [bin, ...words], { cwd: temporaryFolder(), env });
};

/** A file system in memory, with these options. */
function mounted(options: string): string {
  const folder = mkdtempSync(join(tmpdir(), "fxconform-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  onTestFinished(() => {
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function canMount(): boolean {
  if (!isRoot()) return false;
  const folder = mkdtempSync(join(tmpdir(), "fxconform-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
