import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileBytes } from "./files.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const most = 1024;

test("a regular file is read within its bound", () => {
  const path = join(temporaryFolder(), "a.yaml");
  writeFileSync(path, "a".repeat(most));
  expect(fileBytes(path, { most }).length).toBe(most);
  writeFileSync(path, "a".repeat(most + 1));
  expect(() => fileBytes(path, { most })).toThrow("is larger than");
});

test("a folder, a device and a pipe are refused at once, and are not opened", () => {
  const folder = temporaryFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(() => fileBytes(folder, { most })).toThrow("is a folder");
  expect(() => fileBytes("/dev/zero", { most, takesPipes: true })).toThrow(
    "is a device, not a file",
  );
  expect(() => fileBytes(pipe, { most })).toThrow("is a pipe, not a file");
});

test("files that do not tell their size have the bound too", () => {
  expect(() => fileBytes("/proc/self/maps", { most: 10 })).toThrow("is larger than");
});
