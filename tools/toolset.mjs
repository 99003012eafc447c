// Installs what only the full check uses: the packages of tools/package.json. Does nothing if they
// are there already; a second process waits for the first one.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = dirname(fileURLToPath(import.meta.url));
/** The lock file of the packages that are installed. */
const installed = join(folder, "node_modules", ".installed.json");
/** The process that installs them. */
const busy = join(folder, ".installing");

const textOf = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const isInstalled = () => textOf(installed) === textOf(join(folder, "package-lock.json"));

while (!isInstalled()) {
  if (isFirst()) await install();
  else await pause(250);
}

function isFirst() {
  try {
    writeFileSync(busy, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    try {
      process.kill(Number(textOf(busy)), 0);
    } catch {
      rmSync(busy, { force: true });
    }
    return false;
  }
}

async function install() {
  console.error("Installing the packages of tools/package.json, once.");
  const words = ["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"];
  try {
    await promisify(execFile)("npm", words, { cwd: folder });
    writeFileSync(installed, textOf(join(folder, "package-lock.json")));
  } catch ({ stderr }) {
    console.error(`${stderr}They are not installed. Try again: node tools/toolset.mjs`);
    process.exitCode = 1;
  }
  rmSync(busy, { force: true });
  if (process.exitCode === 1) process.exit();
}
