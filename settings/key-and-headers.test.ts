import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { apiKeyOf, writtenKeyWarnings } from "./key-and-headers.ts";
import { flagSource, optionValuesOf, variableSource, type Flags } from "./sources.ts";
import type { OptionValues, Source } from "./sources.ts";

interface Written {
  readonly flags?: Flags;
  readonly env?: Readonly<Record<string, string>>;
  /** The content of the configuration file in the folder. */
  readonly file?: Source["values"];
}

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "key.txt"), "key-of-the-file\n");
});

function valuesOf({ flags = {}, env = {}, file = {} }: Written): OptionValues {
  const path = join(folder, "fxconform.yaml");
  const inFile: Source = { origin: "file", whereOf: String, values: file, folder, file: path };
  const sources = [flagSource(flags, folder), variableSource({ env, cwd: folder }), inFile];
  return optionValuesOf(sources).values;
}

function keyOf(written: Written): string | undefined {
  return apiKeyOf(valuesOf(written), written.env ?? {});
}

describe("the key", () => {
  const inVariable = { FXCONFORM_API_KEY: "key-of-the-variable" };

  test.each<[string, Written, string | undefined]>([
    ["in a variable", { env: inVariable }, "key-of-the-variable"],
    [
      "in a file that a flag names, which is stronger than the variable",
      { flags: { apiKeyFile: "key.txt" }, env: inVariable },
      "key-of-the-file",
    ],
    [
      "in a variable, which is stronger than the file that a file names",
      { env: inVariable, file: { apiKeyFile: "key.txt" } },
      "key-of-the-variable",
    ],
    [
      "in the variable that a file names",
      { env: { OWN: "key-of-another" }, file: { apiKey: "env:OWN" } },
      "key-of-another",
    ],
    // A key that looks like a reference is taken as the key itself.
    ["in a variable, like a reference", { env: { FXCONFORM_API_KEY: "env:OWN" } }, "env:OWN"],
  ])("is found %s", (_where, written, want) => {
    expect(keyOf(written)).toBe(want);
  });

  test("stands twice in one place: it is refused, and is not quoted", () => {
    const env = { ...inVariable, FXCONFORM_API_KEY_FILE: "key.txt" };
    expect(() => keyOf({ env })).toThrow(
      "FXCONFORM_API_KEY_FILE: gives a key as FXCONFORM_API_KEY does. Keep one of the two.",
    );
  });
});

test("a key in a configuration file is warned of, a reference to one is not", () => {
  const warnings = (apiKey: string) => writtenKeyWarnings(valuesOf({ file: { apiKey } }));
  expect(warnings("key-0123456789")).toEqual([
    "apiKey: keep the key out of version control. Use FXCONFORM_API_KEY instead.",
  ]);
  expect(warnings("env:OWN")).toEqual([]);
});
