import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executed } from "./execution.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const execute = promisify(execFile);

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const locked = Object.entries(packages).filter(([path]) => path !== "");

describe("dependencies", () => {
  test("have exact versions", () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test("at run time are each justified in ARCHITECTURE.md", async () => {
    const page = await readFile(join(root, "ARCHITECTURE.md"), "utf8");
    expect(Object.keys(manifest.dependencies).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test("are locked by checksum and not by the address they were fetched from", () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(locked.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
  });

  test("are locked for every platform, without which npm ci refuses", () => {
    const present = new Set(locked.map(([path]) => path.slice(path.lastIndexOf("node_modules/"))));
    const optional = locked.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
    expect(optional.filter((name) => !present.has(`node_modules/${name}`))).toEqual([]);
  });
});

/** The package as users install it: packed, then unpacked in a folder whose name has special characters. */
describe("the packed package", { tags: "tar" }, () => {
  let folder = "";
  let packed: readonly string[] = [];
  const installed = () => join(folder, "node_modules", "fxconform");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fxconform päck 100%25 (1) #1 what? & "));
    const words = ["pack", "--json", "--ignore-scripts", "--loglevel", "error", "--pack-destination", folder];
    const { stdout } = await execute("npm", words, { cwd: root });
    const [pack] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    packed = pack.files.map(({ path }) => path);
    await mkdir(installed(), { recursive: true });
    const archive = join(folder, pack.filename);
    await execute("tar", ["--extract", "--file", archive, "--strip-components", "1", "--directory", installed()]);
    await symlink(join(root, "node_modules"), join(installed(), "node_modules"));
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("holds the build and the documents, no sources and no tests", () => {
    expect(packed).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md", "dist/cli/bin.js", "dist/spec/openapi.yaml"]),
    );
    const sources = packed.filter((path) => /\.test\.|\/testing\/|(?<!\.d)\.ts$|tsbuildinfo/.test(path));
    expect(sources.filter((path) => !path.startsWith("templates/"))).toEqual([]);
  });

  test("runs no script when it is installed", () => {
    const atInstall = ["preinstall", "install", "postinstall"];
    expect(Object.keys(manifest.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
    expect(packed.filter((path) => path.startsWith("tools/"))).toEqual([]);
    // npm warns of this one when a package file is installed; git addresses need it.
    expect(manifest.scripts["prepack"]).toContain("npm pkg delete scripts.prepare");
  });

  test.each([
    ["too old", -1, { code: 2, stderr: /^fxconform needs Node\.js [\d.]+ or newer; this is [\d.]+\.\n$/ }],
    ["just new enough", 0, { code: 0, stderr: /^$/ }],
  ])("says in one line that a Node is %s, or starts", async (_, older, want) => {
    const [major = 0, minor = 0] = manifest.engines.node.replace(">=", "").split(".").map(Number);
    const version = `${major}.${minor + older}.5`;
    const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
    const words = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`];
    const program = join(installed(), "dist/cli/bin.js");
    const { code, stderr } = await executed(process.execPath, [...words, program, "--version"]);
    expect({ code, stderr }).toEqual({ code: want.code, stderr: expect.stringMatching(want.stderr) });
  });
});
