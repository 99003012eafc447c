import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { isCommittable } from "./ignored-files.ts";

function written(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

beforeEach(() => vi.stubEnv("XDG_CONFIG_HOME", temporaryFolder()));
afterEach(() => void vi.unstubAllEnvs());

test.each<[string, Readonly<Record<string, string>>, string, boolean]>([
  ["no rules", {}, "a.yaml", true],
  ["a name in any folder", { ".gitignore": "a.yaml\n" }, "in/a.yaml", false],
  ["a folder", { ".gitignore": "in/\n" }, "in/deep/a.yaml", false],
  [
    "a folder and a file in it that is wanted",
    { ".gitignore": "in/\n", "in/.gitignore": "!a.yaml\n" },
    "in/a.yaml",
    false,
  ],
  [
    "a nearer file that wants it",
    { ".gitignore": "*.yaml\n", "in/.gitignore": "!a.yaml\n" },
    "in/a.yaml",
    true,
  ],
  ["rules of this copy", { ".git/info/exclude": "a.yaml\n" }, "a.yaml", false],
])("%s", (_, files, name, expected) => {
  const folder = written(temporaryFolder(), { ".git/HEAD": "ref: refs/heads/main\n", ...files });
  expect(isCommittable(join(folder, name))).toBe(expected);
});

test("outside a repository nothing is committed", () => {
  expect(isCommittable(join(temporaryFolder(), "a.yaml"))).toBe(false);
});

test("what the configuration of a repository names is never started", () => {
  const folder = temporaryFolder();
  const mark = join(folder, "started");
  written(folder, {
    ".git/config": `[core]\n\tfsmonitor = "touch ${mark}; false"\n`,
    ".git/HEAD": "ref: refs/heads/main\n",
  });
  for (const name of [".git/objects", ".git/refs"]) mkdirSync(join(folder, name));
  expect(isCommittable(join(folder, "fxconform.config.yaml"))).toBe(true);
  expect(existsSync(mark)).toBe(false);
});
