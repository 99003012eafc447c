import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { executed } from "./execution.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Code that a house rule refuses, and the same code as it should be written. */
const rows: readonly (readonly [rule: string, refused: string, allowed: string])[] = [
  [
    "function-declarations",
    "export const twice = (n: number) => {\n  return 2 * n;\n};",
    "export function twice(n: number) {\n  return 2 * n;\n}\nexport const half = (n: number) => n / 2;",
  ],
  [
    "no-nested-assignment",
    "let n = 0;\nexport const next = [(n += 1)];",
    "let n = 0;\nn += 1;\nexport const add = () => void (n += 1);",
  ],
  [
    "one-variable",
    "export const [a, b] = [1, 2];",
    'export const a = 1;\nexport const [b, c] = "x y".split(" ");',
  ],
  [
    "no-spread-literal",
    "export const point = { ...{ x: 1, y: 2 }, z: 3 };",
    "const plane = { x: 1, y: 2 };\nexport const point = { ...plane, z: 3 };",
  ],
];

test.each(rows)(
  "the rule %s refuses what it should and nothing else",
  async (rule, refused, allowed) => {
    const folder = temporaryFolder();
    const settings = {
      jsPlugins: [join(root, "tools/house-style.mjs")],
      categories: { correctness: "off" },
      rules: { [`house/${rule}`]: "error" },
    };
    await writeFile(join(folder, ".oxlintrc.json"), JSON.stringify(settings));
    await writeFile(join(folder, "refused.ts"), refused);
    await writeFile(join(folder, "allowed.ts"), allowed);
    const words = ["-c", ".oxlintrc.json", "--format", "unix", "."];
    const { stdout } = await executed(join(root, "node_modules/.bin/oxlint"), words, {
      cwd: folder,
    });
    expect(stdout.match(/^\w+\.ts/gm)).toEqual(["refused.ts"]);
  },
);
