import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { executed } from "./execution.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

test("an upward import is refused, even of a type, and a downward one is not", async () => {
  const tree = temporaryFolder();
  for (const name of [".dependency-cruiser.mjs", "tools/layers.mjs", "tsconfig.json"])
    cpSync(join(root, name), join(tree, name));
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  for (const folder of ["model", "harness"]) mkdirSync(join(tree, folder));
  writeFileSync(join(tree, "model/value.ts"), "export type Value = number;\n");
  writeFileSync(join(tree, "harness/down.ts"), 'export type * from "../model/value.ts";\n');
  writeFileSync(join(tree, "model/up.ts"), 'export type * from "../harness/down.ts";\n');

  const words = ["--config", ".dependency-cruiser.mjs", "--output-type", "err", "model", "harness"];
  const { stdout } = await executed(join(root, "node_modules/.bin/depcruise"), words, {
    cwd: tree,
  });
  expect(stdout).toContain("layers-model: model/up.ts");
  expect(stdout).not.toContain("layers-harness");
});
