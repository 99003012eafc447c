import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startReference, type Reference } from "../../reference/server.ts";
import { credentials } from "./obedient-but.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { executed, type Ended } from "../execution.ts";

const bin = process.env["FXCONFORM_BIN"] ?? fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));

let server: Reference;
let requests = 0;

beforeAll(async () => {
  server = await startReference({ ...credentials, onRequest: () => void (requests += 1) });
});
afterAll(() => server.close());

const earlier = JSON.stringify({ formatVersion: 1, tool: { name: "fxconform" }, note: "an earlier run" });

test.skipIf(!canMount())(
  "a disk that is full costs the reports, not the verdict, and no earlier report",
  { tags: "mount" },
  async () => {
    const folder = mounted("size=32k");
    writeFileSync(join(folder, "report.json"), earlier);
    const { code, stdout, stderr } = await run(folder);
    expect(code, stderr).toBe(4);
    expect(stdout).toContain("partial");
    expect(stderr).toContain("no space is left on the disk (ENOSPC). Earlier reports there are untouched.");
    expect(readdirSync(folder)).toEqual(["report.json"]);
    expect(readFileSync(join(folder, "report.json"), "utf8")).toBe(earlier);
  },
);

test.skipIf(isRoot() && !canMount())(
  "a folder that cannot be written to is found before anything is asked",
  async () => {
    const folder = isRoot() ? mounted("ro") : temporaryFolder();
    requests = 0;
    if (!isRoot()) chmodSync(folder, 0o555);
    const { code, stdout, stderr } = await run(folder);
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: "", requests: 0 });
    expect(stderr).toMatch(/is not a folder that can be written to \((EROFS|EACCES)\)/);
  },
);

const run = (reportDir: string): Promise<Ended> => {
  const target = ["--base-url", server.baseUrl, "--customer-id", credentials.customerId];
  const words = ["run", ...target, "--only", "OPER-02", "--report-dir", reportDir];
  const { GITHUB_STEP_SUMMARY: _, ...others } = process.env;
  const env = { ...others, FXCONFORM_API_KEY: credentials.apiKey };
  return executed(process.execPath, [bin, ...words], { cwd: temporaryFolder(), env });
};

/** Mounts a file system in memory with these options. */
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
