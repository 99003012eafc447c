// Compiles to dist/ and copies the data files. Incremental: where nothing changed, a second build takes half a second.
//   --clean      removes dist/ first, so that nothing stays there whose source is gone
//   --no-check   writes the files without checking types, for callers that check them elsewhere
//   --if-possible   does nothing where TypeScript is not installed, as after `npm ci --omit=dev` in a clone
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { layers } from "./layers.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (process.argv.includes("--clean")) rmSync(join(root, "dist"), { recursive: true, force: true });
const tsc = compiler();
if (tsc === undefined) {
  console.error("TypeScript is not installed: nothing is built.");
  process.exit(process.argv.includes("--if-possible") ? 0 : 1);
}
const noCheck = process.argv.includes("--no-check") ? ["--noCheck"] : [];
try {
  execFileSync(process.execPath, [tsc, "--build", "tsconfig.build.json", ...noCheck], { stdio: "inherit", cwd: root });
} catch {
  process.exit(1);
}
for (const { folder } of layers) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (/\.(ya?ml|json)$/.test(name) && !/(^|\/)testing\//.test(name))
      cpSync(join(root, folder, name), join(root, "dist", folder, name));
  }
}
writeFileSync(
  join(root, "dist", "spec", "openapi.json"),
  JSON.stringify(parse(readFileSync(join(root, "spec", "openapi.yaml"), "utf8"))),
);
await bundle();
const bin = join(root, "dist", "cli", "bin.js");
chmodSync(bin, statSync(bin).mode | 0o111);

/** What the worker thread loads, in few files: a run starts sooner. Packages stay outside. */
async function bundle() {
  const { build } = await import("rolldown");
  const suites = join(root, "dist", "suites");
  await build({
    input: ["index.suite.js", "registration.js", "thread.js"].map((name) => join(suites, name)),
    platform: "node",
    external: /^[^./]/,
    output: { dir: join(suites, "worker"), format: "esm", chunkFileNames: "[name].js" },
    logLevel: "warn",
  });
}

function compiler() {
  try {
    return createRequire(import.meta.url).resolve("typescript/bin/tsc");
  } catch {
    return undefined;
  }
}
