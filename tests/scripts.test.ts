import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { executed, type Ended } from "./execution.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { layers } = (await import(pathToFileURL(join(root, "tools/layers.mjs")).href)) as {
  readonly layers: readonly { readonly folder: string }[];
};

/** A folder with these files. The text `copy` stands for the project's own file. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text === "copy") cpSync(join(root, name), path);
    else writeFileSync(path, text);
    if (text.startsWith("#!")) chmodSync(path, 0o755);
  }
  return folder;
}

function runIn(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return executed(process.execPath, words, { cwd: folder, env: { ...process.env, ...env } });
}

describe("tools/check.mjs", () => {
  const programs = ["prettier", "oxlint", "depcruise", "knip", "redocly"];
  /** A program that notes how it was called. With BROKEN it fails. */
  const program = (name: string) => `#!/bin/sh
echo "${name} $*" >> calls
if [ "$BROKEN" = "${name}" ]; then echo "what ${name} found"; exit 1; fi
`;
  const script = (name: string) =>
    `if (process.env.BROKEN === "${name}") { console.error("what ${name} found"); process.exit(1); }`;
  const check = (env: Readonly<Record<string, string>> = {}, words: readonly string[] = []) => {
    const folder = folderOf({
      "tools/check.mjs": "copy",
      "tools/layers.mjs": "copy",
      "tools/build.mjs": script("build"),
      "tools/documents/index.mjs": script("documents"),
      "tools/missing.mjs": script("missing"),
      ...Object.fromEntries(programs.map((name) => [`node_modules/.bin/${name}`, program(name)])),
    });
    return runIn(folder, ["tools/check.mjs", ...words], env).then((ended) => ({
      ...ended,
      calls: existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8") : "",
    }));
  };

  test("passes if every check does, and looks at every folder", async () => {
    const { code, stdout, calls } = await check();
    expect(code).toBe(0);
    expect(stdout).toContain("all passed");
    expect(calls.match(/^\w+/gm)).toEqual(expect.arrayContaining(programs));
    const cruised = /^depcruise .*/m.exec(calls)?.[0].split(" ") ?? [];
    expect(cruised).toEqual(
      expect.arrayContaining([...layers.map(({ folder }) => folder), "tests"]),
    );
  });

  test.each([...programs, "build", "documents", "missing"])(
    "fails with what %s printed if that fails",
    async (name) => {
      const { code, stdout, stderr } = await check({ BROKEN: name });
      expect(code).toBe(1);
      expect(stderr).toContain("FAILED");
      expect(stderr).toContain(`what ${name} found`);
      expect(stdout).not.toContain("all passed");
    },
  );

  test("runs each check either with --only or with --except", async () => {
    const [only, except, unknown] = await Promise.all([
      check({}, ["--only", "lint,documents"]),
      check({ BROKEN: "documents" }, ["--except", "lint,documents"]),
      check({}, ["--except", "lints"]),
    ]);
    expect([only.code, only.calls.match(/^\w+/gm)]).toEqual([0, ["oxlint"]]);
    expect(except.code).toBe(0);
    expect(except.calls.match(/^\w+/gm)?.toSorted()).toEqual(
      programs.filter((name) => name !== "oxlint").toSorted(),
    );
    expect(unknown.code).toBe(1);
    expect(unknown.calls).toBe("");
  });

  test("runs every check to its end, whichever fails", async () => {
    const { code, calls } = await check({ BROKEN: "knip" });
    expect(code).toBe(1);
    expect(calls.match(/^\w+/gm)).toEqual(expect.arrayContaining(programs));
  });
});

describe("tools/build.mjs", () => {
  /** A stand-in for the compiler: it copies the files that it would compile. */
  const compiler = `
const { cpSync } = require("node:fs");
if (process.env.TYPE_ERROR) { console.log("a type is wrong"); process.exit(2); }
cpSync("compiled", "dist", { recursive: true });`;
  /** A call that is made only because it may throw. */
  const thrower = `import { isBad } from "../../../spec/text.js";
let bad = false;
try { decodeURIComponent("%"); } catch { bad = isBad; }
export const found = bad;`;
  const files = {
    "tools/build.mjs": "copy",
    "tools/layers.mjs": `export const layers = [{ folder: "spec" }, { folder: "cli" }, { folder: "index.ts" }];`,
    "node_modules/typescript/bin/tsc": compiler,
    "compiled/cli/bin.js": "// a program\n",
    "compiled/spec/text.js": "export const isBad = true;",
    "compiled/engine/server/worker/thread.js": thrower,
    "spec/openapi.yaml": "openapi: 3.1.0\ninfo: { title: one, version: one }\npaths: {}\n",
    "spec/testing/sample.json": "{}",
    "cli/examples.json": "[]",
  };
  const tree = (more: Readonly<Record<string, string>> = {}) => {
    const folder = folderOf({ ...files, ...more });
    for (const name of ["commander", "@apidevtools", "rolldown"])
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    return folder;
  };
  const build = (folder: string, words: readonly string[] = [], env = {}) =>
    runIn(folder, ["tools/build.mjs", ...words], env);

  test("copies the data, writes the contract as JSON and bundles the worker", async () => {
    const folder = tree({ "dist/spec/removed.js": "export {};" });
    expect(await build(folder)).toMatchObject({ code: 0, stderr: "" });
    const built = (path: string) => join(folder, "dist", path);
    expect(readFileSync(built("spec/openapi.json"), "utf8")).toBe(
      '{"openapi":"3.1.0","info":{"title":"one","version":"one"},"paths":{}}',
    );
    expect(existsSync(built("cli/examples.json"))).toBe(true);
    expect(existsSync(built("spec/testing/sample.json"))).toBe(false);
    const { found } = (await import(built("engine/server/bundle/thread.js"))) as { found: boolean };
    expect(found).toBe(true);
    expect(statSync(built("cli/bin.js")).mode & 0o111).toBe(0o111);
    expect(existsSync(built("spec/removed.js"))).toBe(true);
    await build(folder, ["--clean"]);
    expect(existsSync(built("spec/removed.js"))).toBe(false);
    expect(existsSync(built("cli/bin.js"))).toBe(true);
  });

  test("ends with 1 and what the compiler printed if that fails, and bundles nothing", async () => {
    const folder = tree();
    const { code, stdout } = await build(folder, [], { TYPE_ERROR: "1" });
    expect([code, stdout]).toEqual([1, "a type is wrong\n"]);
    expect(existsSync(join(folder, "dist"))).toBe(false);
  });

  test.each([
    [[], 1],
    [["--if-possible"], 0],
  ])("with %j and without the compiler it ends with %i and says why", async (words, wanted) => {
    const { "node_modules/typescript/bin/tsc": _, ...others } = files;
    const folder = folderOf(others);
    for (const name of ["commander", "@apidevtools", "rolldown"]) {
      mkdirSync(join(folder, "node_modules"), { recursive: true });
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    }
    const { code, stderr } = await build(folder, words);
    expect([code, stderr]).toEqual([wanted, "Nothing is built: TypeScript is not installed.\n"]);
  });
});

describe("tools/node-versions.mjs", () => {
  /** An npm that installs a stand-in for Node, which says its version, or for the package. */
  const npm = `#!/bin/sh
echo "$*" >> "$FOLDER/calls"
if [ "$1" = pack ]; then echo '[{"filename":"package.tgz"}]'; exit; fi
mkdir -p node_modules/.bin
for last; do :; done
case "$last" in
node@99) echo "no such version" >&2; exit 1;;
node@*) printf '#!/bin/sh\\necho v%s' "\${last#node@}" > node_modules/.bin/node; chmod +x node_modules/.bin/node;;
*package.tgz) cp "$FOLDER/fxconform" node_modules/.bin/fxconform;;
esac
`;
  /**
   * A program that ends each command with the right code, except for the command that BROKEN names.
   */
  const fxconform = `#!/bin/sh
if [ "$1" = "$BROKEN" ]; then echo "a mistake of $1"; exit 7; fi
case "$1" in
serve) echo "FXCONFORM_BASE_URL=http://localhost:1"; exec sleep 50;;
run | replay | judge) exit 1;;
esac
`;
  const tryVersions = (
    env: Readonly<Record<string, string>> = {},
    words: readonly string[] = [],
  ) => {
    const folder = folderOf({
      "tools/node-versions.mjs": "copy",
      "package.json": JSON.stringify({ engines: { node: "^20.1.0 || ^22.2.0 || ^24.3.0" } }),
      "bin/npm": npm,
      fxconform,
    });
    const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
    return runIn(folder, ["tools/node-versions.mjs", ...words], {
      PATH: path,
      FOLDER: folder,
      ...env,
    }).then((ended) => ({ ...ended, folder }));
  };

  test("tries the oldest version of each range that package.json names", async () => {
    const { code, stdout, stderr } = await tryVersions();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.match(/v[\d.]+/g)?.toSorted()).toEqual(["v20.1.0", "v22.2.0", "v24.3.0"]);
  });

  test.each(["demo", "contract", "run", "replay", "judge"])(
    "fails if %s ends with another code, and goes on with the next version",
    async (command) => {
      const { code, stdout, stderr } = await tryVersions({ BROKEN: command }, ["20", "22"]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(new RegExp(`^Node 2[02]: fxconform ${command} .*ended with 7`));
      expect(stderr.match(/^Node 2[02]/gm)).toHaveLength(2);
      expect(stderr).toContain(`a mistake of ${command}`);
    },
  );

  test("only installs in the folder where --install-only says so, from an archive that is there", async () => {
    const words = ["--folder", "nodes", "--archive", "own-package.tgz", "20", "22"];
    const [installs, tries, unknown] = await Promise.all([
      tryVersions({ BROKEN: "demo" }, [...words, "--install-only"]),
      tryVersions({ BROKEN: "demo" }, words),
      tryVersions({}, [...words, "99", "--install-only"]),
    ]);
    expect([installs.code, installs.stderr]).toEqual([0, ""]);
    expect(installs.stdout.match(/^Node v\d+: the package is installed/gm)).toHaveLength(2);
    const calls = readFileSync(join(installs.folder, "calls"), "utf8");
    expect(calls.match(/own-package\.tgz$/gm)).toHaveLength(2);
    expect(calls).not.toContain("pack ");
    expect(existsSync(join(installs.folder, "nodes/20/node_modules/.bin/fxconform"))).toBe(true);
    expect([tries.code, tries.stdout]).toEqual([1, ""]);
    expect(unknown.code).toBe(1);
  });

  test("fails if no server starts, or if a version cannot be installed", async () => {
    const [silent, unknown] = await Promise.all([
      tryVersions({ BROKEN: "serve" }, ["20"]),
      tryVersions({}, ["99", "20"]),
    ]);
    expect([silent.code, silent.stderr]).toEqual([
      1,
      "Node 20: fxconform serve printed no address\n",
    ]);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("no such version");
    expect(unknown.stdout).toMatch(/^Node v20: /);
  });
});
