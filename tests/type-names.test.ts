import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const { layers } = (await import(pathToFileURL(join(root, "tools/layers.mjs")).href)) as {
  layers: readonly { readonly folder: string }[];
};

/** The server to practise on is a program of its own, which shares no types with the others. */
const programs = [
  (path: string) => !path.startsWith("reference/"),
  (path: string) => path.startsWith("reference/"),
];

/** For each type name of a program, the files that declare it. */
function declarations(isOf: (path: string) => boolean): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of modules().filter(isOf)) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:export )?(?:interface|type|class) ([A-Z]\w*)/gm))
      found.set(name, [...(found.get(name) ?? []), path]);
  }
  return found;
}

function modules(): readonly string[] {
  const paths = layers.flatMap(({ folder }) =>
    folder.endsWith(".ts")
      ? [folder]
      : readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
          (name) => `${folder}/${name}`,
        ),
  );
  return paths.filter((path) => path.endsWith(".ts") && !/[.]test[.]ts$|\/testing\//.test(path));
}

test("a type has a name of its own", () => {
  const all = programs.flatMap((isOf) => [...declarations(isOf)]);
  const several = all.filter(([, paths]) => paths.length > 1);
  expect(Object.fromEntries(several)).toEqual({});
});

/** Modules that other folders, or programs, import in place of the files of a folder. */
const doors = new Set([
  "generators/index.ts",
  "index.ts",
  "reference/faults/index.ts",
  "reference/variants/index.ts",
  "reports/library.ts",
  "spec/catalogue.ts",
  "suites/kit/index.ts",
]);

test("a name is exported where it is declared, and by the door of a folder alone", () => {
  const isPassedOn = /^export (?:type )?(?:\{[^}]*\}|\*) from/m;
  const passing = modules().filter((path) =>
    isPassedOn.test(readFileSync(join(root, path), "utf8")),
  );
  expect(passing.filter((path) => !doors.has(path))).toEqual([]);
});
