import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { executed } from "./execution.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

test.each([
  "bench/cost.mjs",
  "bench/peers/index.mjs",
  "scripts/build.mjs",
  "scripts/check.mjs",
  "scripts/documents.mjs",
  "scripts/examples.mjs",
  "scripts/measure.mjs",
  "scripts/sensitivity.mjs",
])("%s prints its help, and refuses an unknown option in one line", async (script) => {
  const [help, wrong] = await Promise.all(
    ["--help", "--no-such-option"].map((word) => executed(process.execPath, [join(root, script), word])),
  );
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /) as unknown, stderr: "" });
  expect(wrong).toMatchObject({ code: 2, stdout: "", stderr: "Unknown option '--no-such-option'. Try: --help\n" });
});

test.each([
  ["scripts/sensitivity.mjs", "--seeds", "many"],
  ["scripts/sensitivity.mjs", "--kind", "other"],
  ["scripts/examples.mjs", "--only", "OPER-00"],
  ["scripts/check.mjs", "other"],
])("%s %s %s is refused in one line", async (script, ...words) => {
  const { code, stdout, stderr } = await executed(process.execPath, [join(root, script), ...words]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^\S.*\. Try: --help\n$/);
});
