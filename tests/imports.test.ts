import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { executed } from "./execution.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { layers } = (await import(pathToFileURL(join(root, "tools/layers.mjs")).href)) as {
  layers: readonly { readonly folder: string }[];
};

/**
 * The modules with which a process or a thread starts. They act when they are loaded, and no other
 * module does.
 */
const entries = [
  "cli/bin.ts",
  "cli/guarded-thread.ts",
  "cli/start.ts",
  "engine/server/worker/thread.ts",
];

/** Every module of the layers, without entries and tests. */
const modules = layers
  .flatMap(({ folder }) => (folder.endsWith(".ts") ? [folder] : modulesIn(folder)))
  .filter((path) => !/[.](test|d)[.]ts$|\/testing\//.test(path) && !entries.includes(path));

function modulesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}

/** What the modules do when they are imported. */
async function doneByImporting(addresses: readonly string[]): Promise<readonly string[]> {
  const program = join(root, "tests/import-watch.mjs");
  const { code, stdout, stderr } = await executed(process.execPath, [program, ...addresses]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as string[];
}

function builtAddress(path: string): string {
  return pathToFileURL(join(root, "dist", path.replace(/ts$/, "js"))).href;
}

test("no module reads the environment, starts a timer or opens anything when it is imported", async () => {
  expect(modules.length).toBeGreaterThan(250);
  expect(await doneByImporting(modules.map(builtAddress))).toEqual([]);
});

test("a module that does is found", async () => {
  // Not in the built program, which other tests copy.
  const folder = join(temporaryFolder(), "dist");
  mkdirSync(folder);
  const planted = {
    "reads process.env.HOME": "export const home = process.env.HOME;",
    "reads process.argv.1": "export const program = process.argv[1];",
    "calls setTimeout":
      'import { setTimeout } from "node:timers";\nsetTimeout(() => undefined, 1);',
    "leaves open TCPServerWrap":
      'import { createServer } from "node:net";\ncreateServer().listen(0, "127.0.0.1");',
  };
  for (const [what, text] of Object.entries(planted)) {
    const file = join(folder, `${what.replaceAll(/\W/g, "-")}.mjs`);
    writeFileSync(file, text);
    expect(await doneByImporting([pathToFileURL(file).href])).toContainEqual(
      expect.stringContaining(what),
    );
  }
});

test("what a thread was started with is read by its entries alone", () => {
  const readers = modules.filter((path) =>
    /\b(workerData|parentPort)\b/.test(readFileSync(join(root, path), "utf8")),
  );
  // The modules that start the threads.
  expect(readers.toSorted()).toEqual(["cli/guarded.ts", "engine/server/thread.ts"]);
});
