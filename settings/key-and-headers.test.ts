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
  writeFileSync(join(folder, "empty.txt"), "\n");
  writeFileSync(join(folder, "lines.txt"), "two\nlines\n");
});

function valuesOf({ flags = {}, env = {}, file = {} }: Written): OptionValues {
  const path = join(folder, "fxconform.yaml");
  const inFile: Source = { origin: "file", whereOf: String, values: file, folder, file: path };
  const sources = [flagSource(flags, folder), variableSource({ env, cwd: folder }), inFile];
  return optionValuesOf(sources).values;
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
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

  test.each<[string, Written, string]>([
    [
      "stands twice in one place",
      { env: { ...inVariable, FXCONFORM_API_KEY_FILE: "key.txt" } },
      "FXCONFORM_API_KEY_FILE: gives a key as FXCONFORM_API_KEY does. Keep one of the two.",
    ],
    [
      "has a line break",
      { env: { FXCONFORM_API_KEY_FILE: "lines.txt" } },
      "FXCONFORM_API_KEY_FILE: holds characters that no header can carry. Give only the key, without quotes and line breaks.",
    ],
    [
      "stands in a variable that is not set",
      { file: { apiKey: "env:OWN" } },
      "apiKey: names the variable OWN, which is not set. Set OWN, or write file:path.",
    ],
  ])("is refused if it %s, and is not quoted", (_what, written, want) => {
    expect(messageOf(() => keyOf(written))).toBe(want);
  });
});

test("a key in a configuration file is warned of, a reference to one is not", () => {
  const warnings = (apiKey: string) => writtenKeyWarnings(valuesOf({ file: { apiKey } }));
  expect(warnings("key-0123456789")).toEqual([
    "apiKey: keep the key out of version control. Use FXCONFORM_API_KEY instead.",
  ]);
  expect(warnings("env:OWN")).toEqual([]);
});
