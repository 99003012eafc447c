// Measures the program of a checkout as its users start it. Times are in milliseconds, memory is in
// MB.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const node = process.execPath;
const binIn = (checkout) => join(checkout, "dist", "cli", "bin.js");

/** Resolves to what the function returns for a new folder, which is removed then. */
async function inFolder(measure) {
  const folder = mkdtempSync(join(tmpdir(), "fxconform-bench-"));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long a program runs. */
async function wallOf(words, cwd) {
  const began = performance.now();
  await execute(node, words, { cwd, timeout: 120_000 });
  return performance.now() - began;
}

/** How long the smallest program of Node runs. */
export const nodeTime = () => wallOf(["--eval", "0"]);

/** How long `fxconform --help` runs. */
export const helpTime = (checkout) => wallOf([binIn(checkout), "--help"]);

/** How long `vitest run` takes for one empty test. */
export function emptyTestTime(checkout) {
  return inFolder((folder) => {
    const vitest = join(checkout, "node_modules", "vitest");
    const index = JSON.stringify(join(vitest, "dist", "index.js"));
    writeFileSync(
      join(folder, "empty.test.mjs"),
      `import { test } from ${index};\ntest("nothing", () => undefined);\n`,
    );
    return wallOf([join(vitest, "vitest.mjs"), "run", "--root", folder], folder);
  });
}

/** The time from the start of `fxconform run` to its first request. */
export function firstRequestTime(checkout) {
  return inFolder(async (folder) => {
    const server = createServer((_request, response) => response.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = `http://127.0.0.1:${server.address().port}`;
    const words = ["run", "--base-url", address, "--api-key", "bench-key-0123456789"];
    const began = performance.now();
    const child = spawn(node, [binIn(checkout), ...words, "--customer-id", "customer-1"], {
      cwd: folder,
      stdio: "ignore",
    });
    await once(server, "request");
    const took = performance.now() - began;
    child.kill("SIGKILL");
    await once(child, "exit");
    server.close();
    server.closeAllConnections();
    return took;
  });
}

/** What `npm start` uses beside the build: `{ cpu, memory }`. */
export function demoUsage(checkout) {
  return inFolder(async (folder) => {
    const file = join(folder, "usage.json");
    const hook = fileURLToPath(new URL("./usage.mjs", import.meta.url));
    await execute(node, ["--import", hook, binIn(checkout), "demo"], {
      cwd: folder,
      env: { ...process.env, FXCONFORM_USAGE: file },
      timeout: 120_000,
      maxBuffer: 2 ** 26,
    });
    return JSON.parse(readFileSync(file, "utf8"));
  });
}

/** What `npm install` of the packed checkout puts into an empty folder: `{ size, packages }`, in MB. */
export function installation(checkout) {
  return inFolder(async (folder) => {
    const quiet = ["--silent", "--ignore-scripts"];
    const { stdout } = await execute("npm", ["pack", ...quiet, "--pack-destination", folder], {
      cwd: checkout,
    });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const archive = join(folder, stdout.trim().split("\n").at(-1) ?? "");
    const words = ["install", ...quiet, "--no-audit", "--no-fund", "--prefer-offline", archive];
    await execute("npm", words, { cwd: folder, timeout: 300_000 });
    const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
    return {
      size: sizeOf(join(folder, "node_modules")) / 1e6,
      packages: Object.keys(lock.packages).filter((path) => path !== "").length,
    };
  });
}

/** The bytes of all files in a folder. */
function sizeOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => lstatSync(join(folder, name)))
    .filter((found) => found.isFile())
    .reduce((sum, { size }) => sum + size, 0);
}
