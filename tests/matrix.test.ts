import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { faults } from "../reference/faults/index.ts";
import { variants } from "../reference/variants/index.ts";
import { executed } from "./execution.ts";

/** So many elements, at even distances. */
const spread = <T>(all: readonly T[], count: number): readonly T[] =>
  Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);

/** A fixed sample of what `npm run sensitivity -- --check` runs in full, without servers that let requests wait. */
const sample = [
  ...spread(
    faults.filter(({ slow }) => slow !== true),
    20,
  ),
  ...spread(
    variants.filter(({ needs }) => needs?.slow !== true),
    10,
  ),
].map(({ id }) => id);

test("of a sample of the matrix, 20 faults are blamed rightly and 10 variants are clean", async () => {
  const script = fileURLToPath(new URL("../scripts/sensitivity.mjs", import.meta.url));
  const words = [script, "--check", "--processes", "2", "--only", sample.join(",")];
  const { code, stdout, stderr } = await executed(process.execPath, words, { timeout: 600_000 });
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain("20 of 20 faults caught, 20 rightly blamed; 10 of 10 variants clean");
}, 600_000);
