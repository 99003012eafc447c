import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

const files = readdirSync("suites", { recursive: true, encoding: "utf8" });
const scenarioFiles = files.filter((file) => file.endsWith(".scenario.ts"));

interface Imported {
  /** The path from the folder of the project. */
  readonly from: string;
  readonly names: readonly string[];
}

/** The imports of a file, by module. */
function importsOf(file: string): readonly Imported[] {
  const text = readFileSync(join("suites", file), "utf8");
  return [...text.matchAll(/^import (?:type )?(.+?) from "(.+?)";$/gms)].map(
    ([, names = "", from = ""]) => ({
      from: from.startsWith(".") ? normalize(join("suites", dirname(file), from)) : from,
      names: names.split(/[{},]/).filter((name) => name.trim() !== ""),
    }),
  );
}

function namesOf(imported: readonly Imported[]): number {
  return imported.flatMap(({ names }) => names).length;
}

describe.each(scenarioFiles)("%s", (file) => {
  const imported = importsOf(file);
  const kit = imported.filter(({ from }) => from.startsWith("suites/kit/"));

  test("imports at most 20 names, of which the kit gives at most 10, from one module", () => {
    expect(namesOf(imported)).toBeLessThanOrEqual(20);
    expect(namesOf(kit)).toBeLessThanOrEqual(10);
    expect(kit.map(({ from }) => from).filter((from) => from !== "suites/kit/index.ts")).toEqual(
      [],
    );
  });

  test("uses nothing that carries out scenarios", () => {
    const hidden = /^suites\/(run|resources|calibration)\//;
    expect(imported.map(({ from }) => from).filter((from) => hidden.test(from))).toEqual([]);
  });

  test("has at most 200 lines", () => {
    expect(
      readFileSync(join("suites", file), "utf8").trimEnd().split("\n").length,
    ).toBeLessThanOrEqual(200);
  });
});
