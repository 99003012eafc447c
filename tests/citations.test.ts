import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isInterpretationId } from "../spec/interpretations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const generated = new Set(["node_modules", "dist", "coverage", "fxconform-report"]);

const folders = (await readdir(root, { withFileTypes: true })).filter(
  (entry) => entry.isDirectory() && !generated.has(entry.name) && !entry.name.startsWith("."),
);
const inFolders = await Promise.all(
  folders.map(async ({ name }) =>
    (await readdir(join(root, name), { recursive: true })).map((one) => join(name, one)),
  ),
);
const paths = [...(await readdir(root)), ...inFolders.flat()].filter((path) =>
  /\.(ts|mjs|md)$/.test(path),
);
const texts = await Promise.all(
  paths.map(async (path) => [path, await readFile(join(root, path), "utf8")] as const),
);

/** Each match of a pattern, with the path of its file. */
function found(pattern: RegExp): readonly (readonly [path: string, match: string])[] {
  return texts.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(([match]) => [path, match] as const),
  );
}

test("every cited interpretation exists", () => {
  const cited = found(/\bINT-\d+/g);
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(([, id]) => !isInterpretationId(id))).toEqual([]);
});

test("nothing cites a text that is not in the repository", () => {
  // The letter in brackets keeps this line from matching itself.
  expect(found(/\brul[i]ngs?\b/gi)).toEqual([]);
});
