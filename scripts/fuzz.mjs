import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commandLine, wholeNumber } from "./command-line.mjs";

const usage = `
Usage: npm run fuzz -- [options]

Mutates good responses byte by byte, gives them to the client and the checks, and fails if these cannot handle one.

  --minutes <n>    how long, such as 0.5 (default: 1)
  --seed <n>       the same seed gives the same responses (default: from the clock)
  --help
`;
const { minutes, seed } = commandLine(usage, (args) => {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "1" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  if (!(Number(values.minutes) > 0)) throw new Error("--minutes needs a number above 0");
  return { minutes: Number(values.minutes), seed: wholeNumber(values, "seed", 0) };
});
console.log(`seed ${seed}, ${minutes} minutes`);
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "tests/fuzz"], {
  cwd: dirname(dirname(fileURLToPath(import.meta.url))),
  env: { ...process.env, FXCONFORM_FUZZ_MINUTES: String(minutes), FXCONFORM_FUZZ_SEED: String(seed) },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
