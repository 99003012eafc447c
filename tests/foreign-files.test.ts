import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileBelow } from "../model/files.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";

const root = join(import.meta.dirname, "..");

/** What opens a file, for reading or writing. */
const opening =
  /\b(readFile|readFileSync|createReadStream|createWriteStream|open|openSync|writeFile|writeFileSync|appendFile|appendFileSync|copyFileSync|renameSync)\b/g;

/** Why a file of the product may open files by itself, and not through model/files.ts. */
const reasons: Readonly<Record<string, string>> = {
  "model/files.ts openSync": "is where files are opened: regular ones, within a bound",
  "cli/commands/list-explain.ts readFileSync": "reads a file of the package",
  "cli/commands/example.ts copyFileSync": "makes new files of those of the package (COPYFILE_EXCL)",
  "engine/version.ts readFileSync": "reads a file of the package",
  "spec/bundle.ts readFileSync": "reads a file of the package",
  "spec/prose.ts readFileSync": "reads a file of the package",
  "engine/recording/har-file.ts createReadStream": "reads what openFile has opened",
  "cli/output/recording-file.ts createReadStream": "reads its own new file",
  "cli/output/recording-file.ts openSync": "makes a new file, and follows no link (wx)",
  "cli/output/recording-file.ts renameSync": "puts it in place, unless losesForeign",
  "cli/output/text-file.ts renameSync": "puts a new file in place of what was checked",
  "cli/output/text-file.ts writeFileSync": "writes a new file, or into a device that is named",
  "cli/output/exit-code.ts writeFileSync": "makes a new file, and follows no link (wx)",
  "cli/output/io.ts writeFileSync": "writes to standard output and standard error",
  "cli/runs/run-and-report.ts appendFileSync": "appends to the file of GITHUB_STEP_SUMMARY",
  "reports/saving.ts writeFileSync": "writes a new file, whose name nobody knows before",
  "reports/saving.ts renameSync": "puts it in place, unless losesForeign",
  "settings/report-folder.ts writeFileSync": "writes a new file, whose name nobody knows before",
};

test("whatever opens a file does it through model/files.ts, or has a reason", () => {
  const product =
    /^(spec|model|generators|harness|suites|reference|reports|engine|settings|cli|index|conformance)\b/;
  const files = readdirSync(root, { encoding: "utf8" })
    .filter((name) => product.test(name))
    .flatMap((name) =>
      name.endsWith(".ts")
        ? [name]
        : readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).map((file) =>
            join(name, file),
          ),
    )
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/testing\//.test(file));
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const imports = text.match(/import (?:type )?\{[^}]*\} from "node:fs(?:\/promises)?"/g) ?? [];
    const names = imports.flatMap((one) => one.match(opening) ?? []);
    // Any other way to the module would escape the list.
    expect(text, file).not.toMatch(
      /(\* as \w+|\w+) from "node:fs|require\("node:fs|import\("node:fs/,
    );
    return [...new Set(names)].map((name) => `${file} ${name}`);
  });
  expect(found.toSorted()).toEqual(Object.keys(reasons).toSorted());
});

test("a file of somebody else is a regular one below the folder, links followed", () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  const inside = join(folder, "own");
  mkdirSync(inside);
  for (const path of [join(inside, "a"), join(outside, "secret"), join(folder, "beside")])
    writeFileSync(path, "");
  const links = {
    out: join(outside, "secret"),
    folder: outside,
    "link to link": join(inside, "out"),
    dangling: join(outside, "none"),
    up: "..",
    in: "a",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(inside, name));
  execFileSync("mkfifo", [join(inside, "pipe")]);
  const refused = [
    "../beside",
    "../own-2/x",
    "/etc/hostname",
    "out",
    "folder/secret",
    "folder/new",
    "link to link",
    "dangling",
    "up/beside",
    "up/own/../beside",
    "..",
    "pipe",
    "/dev/zero",
    "a/b",
  ];
  for (const name of refused) expect(() => fileBelow(inside, name), name).toThrow();
  for (const name of [
    "a",
    "in",
    "new",
    "new/deep",
    "../own/a",
    "up/own/a",
    join(inside, "a"),
    "..a",
  ])
    expect(fileBelow(inside, name), name).toMatch(inside);
});
