import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { layers } from "./layers.mjs";

const values = new Command("node tools/build.mjs")
  .description(
    "Compiles the sources to dist/ and copies the data files. A second build writes only what changed.",
  )
  .option("--clean", "removes dist/ first, and with it the output of deleted sources")
  .option("--no-check", "does not check types")
  .option("--if-possible", "ends with 0 if a package that builds is missing (npm ci --omit=dev)")
  .parse()
  .opts();

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (values.clean) rmSync(join(root, "dist"), { recursive: true, force: true });
// TypeScript alone may be there without the others, because valibot names it as a peer.
const missing = ["@types/node", "rolldown", "typescript"].filter(
  (name) => !existsSync(join(root, "node_modules", name)),
);
if (missing.length > 0) {
  console.error(
    `Nothing is built, because ${missing.join(" and ")} are not installed: run npm ci --include=dev.`,
  );
  process.exit(values.ifPossible ? 0 : 1);
}
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const noCheck = values.check ? [] : ["--noCheck"];
try {
  execFileSync(process.execPath, [tsc, "--build", "tsconfig.build.json", ...noCheck], {
    stdio: "inherit",
    cwd: root,
  });
} catch {
  process.exit(1);
}
for (const { folder } of layers.filter((row) => !row.folder.endsWith(".ts"))) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (/\.(ya?ml|json)$/.test(name) && !/(^|\/)testing\//.test(name))
      cpSync(join(root, folder, name), join(root, "dist", folder, name));
  }
}
const { default: SwaggerParser } = await import("@apidevtools/swagger-parser");
const contract = await SwaggerParser.bundle(join(root, "spec", "openapi.yaml"));
writeFileSync(join(root, "dist", "spec", "openapi.json"), JSON.stringify(contract));
const prose = await proseJson();
writeFileSync(join(root, "dist", "spec", "prose.json"), prose);
await bundle();
const bin = join(root, "dist", "cli", "bin.js");
chmodSync(bin, statSync(bin).mode | 0o111);

/** The texts of the pages in spec/, or their mistakes and the end of the build. */
async function proseJson() {
  const { proseOf } = await import("../dist/spec/markdown.js");
  try {
    return JSON.stringify(proseOf((file) => readFileSync(join(root, "spec", file), "utf8")));
  } catch (error) {
    console.error(error.message);
    return process.exit(1);
  }
}

/**
 * Bundles the modules that the worker thread loads into a few files, so that a run starts sooner.
 * Imported packages stay outside the bundle.
 */
async function bundle() {
  const { build } = await import("rolldown");
  const server = join(root, "dist", "engine", "server");
  await build({
    input: join(server, "worker", "thread.js"),
    platform: "node",
    external: /^[^./]/,
    // Without both settings, the bundler removes calls that are made only because they throw, such
    // as decodeURIComponent.
    treeshake: false,
    // The bundle is no neighbour of the file that this module reads.
    plugins: [
      {
        name: "prose",
        load: (id) =>
          id === join(root, "dist", "spec", "prose.js") ? `export const prose = ${prose};` : null,
      },
    ],
    output: {
      dir: join(server, "bundle"),
      format: "esm",
      chunkFileNames: "[name].js",
      minify: false,
    },
    logLevel: "warn",
  });
}
