// Loaded before a program with `--import`: writes what its process has used to the file in the
// variable FXCONFORM_USAGE when it ends.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.FXCONFORM_USAGE;
if (isMainThread && file !== undefined)
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(
      file,
      JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024 }),
    );
  });
