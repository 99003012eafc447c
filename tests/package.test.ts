import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executed, root } from "./execution.ts";
import { installPacked } from "./packed.ts";
import { toolset } from "./system-programs.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly exports: Readonly<
    Record<string, string | { readonly types: string; readonly default: string }>
  >;
  readonly scripts: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe.each(["package-lock.json", "tools/package-lock.json"])(
  "dependencies in %s",
  async (file) => {
    const { packages } = JSON.parse(await readFile(join(root, file), "utf8")) as {
      readonly packages: Readonly<Record<string, Locked>>;
    };
    const { "": own, ...others } = packages;
    const locked = Object.entries(others);

    test("have exact versions", () => {
      const versions = Object.values({ ...own?.dependencies, ...own?.devDependencies });
      expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    });

    test("are locked by checksum and not by the address they were fetched from", () => {
      expect(
        locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      ).toEqual([]);
      expect(
        locked.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path),
      ).toEqual([]);
    });
  },
);

test("dependencies at run time are each justified in ARCHITECTURE.md", async () => {
  const page = await readFile(join(root, "ARCHITECTURE.md"), "utf8");
  expect(
    Object.keys(manifest.dependencies).filter((name) => !page.includes(`\`${name}\``)),
  ).toEqual([]);
});

/** The exports of the package that are modules, by the names under which programs import them. */
const modules = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string" ? [] : [{ name: path.replace(".", manifest.name), ...target }],
);

/**
 * The package as users install it: packed, and then unpacked in a folder whose name has special
 * characters.
 */
describe("the packed package", { tags: "tar" }, () => {
  let folder = "";
  let archive = "";
  let packed: readonly string[] = [];
  const oldest = /\d+\.\d+\.\d+/.exec(manifest.engines.node)?.[0];
  const installed = () => join(folder, "node_modules", "fxconform");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fxconform päck 100%25 (1) #1 what? & "));
    ({ archive, packed } = await installPacked(folder));
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("holds the build and the documents, no sources and no tests", () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "dist/cli/bin.js",
        "dist/spec/openapi.yaml",
      ]),
    );
    const sources = packed.filter((path) =>
      /\.test\.|\/testing\/|(?<!\.d)\.ts$|tsbuildinfo/.test(path),
    );
    expect(sources.filter((path) => !path.startsWith("templates/"))).toEqual([]);
  });

  test("holds each module that one of its modules imports, and no declaration that no export leads to", () => {
    const starts = [
      "dist/cli/bin.js",
      "dist/engine/server/bundle/thread.js",
      ...modules.map((one) => one.default),
    ];
    const code = importsOf(installed(), starts);
    const types = importsOf(
      installed(),
      modules.map((one) => one.types),
    );
    expect([...code, ...types].filter((path) => !packed.includes(path))).toEqual([]);
    const folders = new Set(types.map((path) => path.split("/")[1]));
    const declarations = packed.filter(
      (path) => path.startsWith("dist/") && path.endsWith(".d.ts"),
    );
    expect(declarations.filter((path) => !folders.has(path.split("/")[1]))).toEqual([]);
  });

  const timeout = 60_000;
  test("has nothing that publint and attw complain about", { timeout, tags: "tools" }, async () => {
    const bin = join(toolset, ".bin");
    const publint = await executed(join(bin, "publint"), ["run", archive, "--strict"]);
    expect(publint.stdout).toContain("All good!");
    const words = [
      archive,
      "--profile",
      "esm-only",
      "--exclude-entrypoints",
      "./openapi.yaml",
      "--format",
      "json",
    ];
    const attw = await executed(join(bin, "attw"), words);
    expect(attw.code, attw.stdout + attw.stderr).toBe(0);
  });

  test("runs no script when it is installed", () => {
    const atInstall = ["preinstall", "install", "postinstall"];
    expect(Object.keys(manifest.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
    expect(packed.filter((path) => path.startsWith("tools/"))).toEqual([]);
    // npm warns of this script when a package file is installed, but installing from git needs it.
    expect(manifest.scripts["prepack"]).toContain("npm pkg delete scripts.prepare");
  });

  test.each([
    [
      "too old",
      { node: "18.20.0" },
      2,
      /^fxconform needs Node\.js [\d.]+ or newer; this is [\d.]+\.\n$/,
    ],
    ["just new enough", { node: oldest }, 0, /^$/],
    [
      "Bun",
      { bun: "1.4.5" },
      2,
      /this is bun 1\.4\.5 in its name\. Run it with Node, without --bun\.\n$/,
    ],
  ])("says in one line that a Node is %s, or starts", async (_, versions, code, says) => {
    const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, ...${JSON.stringify(versions)} } });`;
    const words = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`];
    const program = join(installed(), "dist/cli/bin.js");
    const ended = await executed(process.execPath, [...words, program, "--version"]);
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(says) });
  });
});

/**
 * All modules of a package that are loaded when these are loaded, these included, as paths from its
 * root.
 */
function importsOf(root: string, starts: readonly string[]): readonly string[] {
  const found = new Set(starts.map((path) => path.replace(/^\.\//, "")));
  for (const path of found) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, imported = ""] of text.matchAll(/\b(?:from|import\(?)\s*"(\.[^"]+\.[jt]s)"/g)) {
      const target = join(dirname(path), imported);
      found.add(path.endsWith(".d.ts") ? target.replace(/\.[jt]s$/, ".d.ts") : target);
    }
  }
  return [...found];
}
