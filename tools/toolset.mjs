// Installs what only the full check uses: the packages of tools/package.json. Does nothing if they
// are there already.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
/** The lock file of the packages that are installed. */
const installed = join(folder, "node_modules", ".installed.json");
const wanted = readFileSync(join(folder, "package-lock.json"), "utf8");

if (!existsSync(installed) || readFileSync(installed, "utf8") !== wanted) {
  console.error("Installing the packages of tools/package.json, once.");
  const words = ["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"];
  execFileSync("npm", words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(installed, wanted);
}
