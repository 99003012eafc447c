// Compiles to dist/ and copies what is data, not code. Incremental: a second build takes about a second.
// With --clean it starts from nothing, so that no file stays whose source is gone. With --if-possible it does nothing
// where TypeScript is not installed, as after `npm ci --omit=dev` in a clone.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (process.argv.includes("--clean")) rmSync(join(root, "dist"), { recursive: true, force: true });
const tsc = compiler();
if (tsc === undefined) {
  console.error("TypeScript is not installed: nothing is built.");
  process.exit(process.argv.includes("--if-possible") ? 0 : 1);
}
try {
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit", cwd: root });
} catch {
  process.exit(1);
}
for (const folder of ["spec", "cli", "reports"]) {
  for (const name of readdirSync(join(root, folder))) {
    if (/\.(ya?ml|json)$/.test(name)) cpSync(join(root, folder, name), join(root, "dist", folder, name));
  }
}
const bin = join(root, "dist", "cli", "bin.js");
if (existsSync(bin)) chmodSync(bin, statSync(bin).mode | 0o111);

function compiler() {
  try {
    return createRequire(import.meta.url).resolve("typescript/bin/tsc");
  } catch {
    return undefined;
  }
}
