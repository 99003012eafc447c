import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Layer {
  readonly folder: string;
  readonly imports: readonly string[];
  readonly types?: readonly string[];
}

interface Cruise {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

const root = fileURLToPath(new URL("..", import.meta.url));
const { layers } = (await import(pathToFileURL(join(root, "tools/layers.mjs")).href)) as {
  layers: readonly Layer[];
};
const rows = layers.map(({ folder }) => folder);
const folders = rows.filter((row) => !row.endsWith(".ts"));

/** The name of a folder with hyphens: `engine-server` for `engine/server`. */
const nameOf = (folder: string): string => folder.replaceAll("/", "-");

test("what scripts import of dist/ has a source, though an old build may still hold it", async () => {
  const files = ["tools", "tests"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(root, folder, name),
    ),
  );
  const texts = await Promise.all(
    files.filter((path) => path.endsWith(".mjs")).map((path) => readFile(path, "utf8")),
  );
  const modules = texts.flatMap((text) =>
    [...text.matchAll(/(?:\/dist\/|built\(")([a-z/-]+)\.js"/g)].map(([, path]) => path),
  );
  expect(modules.length).toBeGreaterThan(5);
  expect(modules.filter((path) => !existsSync(join(root, `${path}.ts`)))).toEqual([]);
});

test("every folder that is built is a layer", async () => {
  const built = JSON.parse(await readFile(join(root, "tsconfig.build.json"), "utf8")) as {
    include: string[];
  };
  expect(built.include.toSorted()).toEqual(rows.toSorted());
});

/** A source tree in which every layer imports a value and a type from every other layer. */
describe("planted imports", () => {
  let tree = "";
  let refused: ReadonlySet<string> = new Set();
  let circles: readonly string[] = [];

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), "fxconform-layers-"));
    await Promise.all(
      [".dependency-cruiser.mjs", "tools/layers.mjs", "tsconfig.json", "package.json"].map((name) =>
        cp(join(root, name), join(tree, name)),
      ),
    );
    await symlink(join(root, "node_modules"), join(tree, "node_modules"));
    for (const folder of folders) {
      await mkdir(join(tree, folder), { recursive: true });
      await writeFile(
        join(tree, folder, "index.ts"),
        "export const value = 1;\nexport type Value = number;\n",
      );
      for (const other of folders.filter((name) => name !== folder)) {
        const file = (kind: string) => join(tree, folder, `${kind}-of-${nameOf(other)}.ts`);
        const path = `${relative(folder, other)}/index.ts`;
        await writeFile(
          file("value"),
          `import { value } from "${path}";\nexport const own = value;\n`,
        );
        await writeFile(
          file("type"),
          `import type { Value } from "${path}";\nexport type Own = Value;\n`,
        );
      }
    }
    await writeFile(
      join(tree, "spec", "here.ts"),
      'export type { There } from "./there.ts";\nexport type Here = 1;\n',
    );
    await writeFile(
      join(tree, "spec", "there.ts"),
      'import type { Here } from "./here.ts";\nexport type There = Here;\n',
    );
    await mkdir(join(tree, "cli", "output"));
    await mkdir(join(tree, "cli", "commands"));
    await writeFile(join(tree, "cli", "output", "up.ts"), 'export * from "../commands/down.ts";\n');
    await writeFile(
      join(tree, "cli", "commands", "down.ts"),
      'export * from "../output/base.ts";\n',
    );
    await writeFile(join(tree, "cli", "output", "base.ts"), "export const base = 1;\n");
    await writeFile(join(tree, "harness", "second-client.ts"), 'export { Pool } from "undici";\n');
    await writeFile(
      join(tree, "suites", "own-engine.ts"),
      'export { createVitest } from "vitest/node";\n',
    );
    await writeFile(
      join(tree, "engine", "server", "embedded.ts"),
      'export { createVitest } from "vitest/node";\n',
    );
    await writeFile(
      join(tree, "reports", "browser.ts"),
      'export { chromium } from "playwright-core";\n',
    );
    const { summary } = await cruise(tree);
    refused = new Set(summary.violations.map(({ from }) => from));
    circles = summary.violations
      .filter(({ rule }) => rule.name === "no-circle")
      .map(({ from }) => from);
  }, 60_000);

  afterAll(() => rm(tree, { recursive: true, force: true }));

  const pairs = layers
    .filter(({ folder }) => folders.includes(folder))
    .flatMap(({ folder, imports, types = [] }) =>
      folders
        .filter((other) => other !== folder)
        .map((other) => ({
          folder,
          other,
          value: imports.includes(other),
          type: [...imports, ...types].includes(other),
        })),
    );

  test("are refused unless the table of the layers allows them", () => {
    const found = pairs.map(({ folder, other }) => ({
      folder,
      other,
      value: !refused.has(`${folder}/value-of-${nameOf(other)}.ts`),
      type: !refused.has(`${folder}/type-of-${nameOf(other)}.ts`),
    }));
    expect(found).toEqual(pairs);
  });

  test("upward ones inside a layer are refused", () => {
    expect(refused).toContain("cli/output/up.ts");
    expect(refused).not.toContain("cli/commands/down.ts");
  });

  test("in a circle are refused, even if all of them are types", () => {
    expect(circles.length).toBeGreaterThan(0);
    expect(circles.filter((from) => !/^spec\/t?here[.]ts$/.test(from))).toEqual([]);
  });

  test("of the network, of vitest's Node API and of files that are not shipped are refused in other layers", () => {
    expect(refused).toContain("harness/second-client.ts");
    expect(refused).toContain("suites/own-engine.ts");
    expect(refused).not.toContain("engine/server/embedded.ts");
    expect(refused).toContain("reports/browser.ts");
  });
});

async function cruise(cwd: string): Promise<Cruise> {
  const tool = join(root, "node_modules/.bin/depcruise");
  const words = ["--config", ".dependency-cruiser.mjs", "--output-type", "json", ...folders];
  const { stdout } = await promisify(execFile)(tool, words, { cwd, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout) as Cruise;
}
