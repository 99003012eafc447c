import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { executed, type Ended } from "./execution.ts";

const script = fileURLToPath(new URL("../scripts/folders.mjs", import.meta.url));
let root = "";
beforeEach(() => {
  root = temporaryFolder();
});

/** Writes `count` empty files: `0<ending>`, `1<ending>`, … */
async function plant(folder: string, count: number, ending: string): Promise<void> {
  for (const path of Array.from({ length: count }, (_, n) => join(root, folder, `${n}${ending}`))) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
  }
}

const found = (): Promise<Ended> => executed(process.execPath, [script, root]);

test("20 source files in a folder pass; tests, helpers of tests, data and subfolders do not count", async () => {
  await plant("harness", 20, ".ts");
  await plant("harness", 5, ".test.ts");
  await plant("harness/testing", 25, ".ts");
  await plant("harness/checks", 20, ".ts");
  await plant("harness", 5, ".json");
  expect(await found()).toMatchObject({ code: 0, stderr: "" });
});

test("21 are refused, at any depth and for either kind of source", async () => {
  await plant("suites/operation", 21, ".ts");
  await plant("scripts", 22, ".mjs");
  const { code, stderr } = await found();
  expect(code).toBe(1);
  expect(stderr).toContain("suites/operation/ holds 21 source files, more than 20");
  expect(stderr).toContain("scripts/ holds 22 source files, more than 20");
});
