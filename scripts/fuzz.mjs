// Sends mutated responses to the client and the checks for the given time.
//   node scripts/fuzz.mjs [--minutes 1] [--seed n]
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const minutes = Number(values.minutes ?? 1);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error("--minutes must be above 0 and --seed a whole number. The same seed gives the same responses.");
  process.exit(2);
}
console.log(`seed ${seed}, ${minutes} minutes`);
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "tests/fuzz"], {
  cwd: dirname(dirname(fileURLToPath(import.meta.url))),
  env: { ...process.env, FXCONFORM_FUZZ_MINUTES: String(minutes), FXCONFORM_FUZZ_SEED: String(seed) },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
