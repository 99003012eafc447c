import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { faults, variants } from "../reference/deviations/index.ts";
import { executed } from "./execution.ts";

/** `count` elements at even distances. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  return Array.from(
    { length: count },
    (_, index) => all[Math.floor((index * all.length) / count)] as T,
  );
}

const quick = faults.filter(({ needs, known }) => !needs?.slow && known === undefined);
const unhurried = variants.filter(({ needs }) => needs?.slow !== true);

/**
 * A fixed sample of the variants that `npm run sensitivity -- --check` runs, without servers that
 * let requests wait.
 */
const sample = [...spread(quick, 5), ...spread(unhurried, 2)].map(({ id }) => id);

test("of a sample of the matrix, faults are blamed rightly and variants are clean", async () => {
  const script = fileURLToPath(new URL("../tools/sensitivity/index.mjs", import.meta.url));
  const words = [script, "--check", "--processes", "1", "--only", sample.join(",")];
  const { code, stdout, stderr } = await executed(process.execPath, words, { timeout: 300_000 });
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain("5 of 5 faults caught, 5 judged rightly; 2 of 2 legal servers clean");
}, 300_000);
