import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { apiKeyOf, headersOf, writtenKeyWarnings } from "./credentials.ts";
import { flagSource, optionValuesOf, variableSource, type Flags } from "./sources.ts";
import type { OptionReading, OptionValues, Source } from "./sources.ts";

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

function readingOf({ flags = {}, env = {}, file = {} }: Written): OptionReading {
  const path = join(folder, "fxconform.yaml");
  const inFile: Source = { origin: "file", whereOf: String, values: file, folder, file: path };
  const sources = [flagSource(flags, folder), variableSource({ env, cwd: folder }), inFile];
  return optionValuesOf(sources);
}

const valuesOf = (written: Written): OptionValues => readingOf(written).values;

function keyOf(written: Written): string | undefined {
  return apiKeyOf(valuesOf(written), written.env ?? {}, () => undefined);
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

describe("a blank or a line break", () => {
  const left = "ends with a blank or a line break, which is left out.";
  const inFile = (headers: object): Written => ({ file: { headers } });

  test.each<[string, Written, string]>([
    ["a key in a variable", { env: { FXCONFORM_API_KEY: "key\r\n" } }, "FXCONFORM_API_KEY"],
    ["a key in a flag", { flags: { apiKey: "key " } }, "--api-key"],
    ["a key in the file", { file: { apiKey: "key\n" } }, "apiKey"],
    ["a header in a flag", { flags: { header: ["X-A: a\t", "X-B: b"] } }, "--header"],
    ["a header in the file", inFile({ "X-A": "a\n" }), "headers"],
    [
      "a header in a variable that the file names",
      { ...inFile({ "X-A": "env:OWN" }), env: { OWN: "a\n" } },
      "X-A of headers, from OWN",
    ],
    [
      "a key in a variable that the file names",
      { env: { OWN: "key " }, file: { apiKey: "env:OWN" } },
      "apiKey, from OWN",
    ],
  ])("at the end of %s is left out with a warning", (_, written, where) => {
    const { values, problems, warnings } = readingOf(written);
    const own: string[] = [];
    const warn = (text: string): void => void own.push(text);
    const headers = values.headers && headersOf(values.headers, written.env ?? {}, warn);
    const key = values.apiKey && apiKeyOf(values, written.env ?? {}, warn);
    expect([problems, ...[...warnings, ...own]]).toEqual([[], `${where}: ${left}`]);
    expect([key ?? "key", headers?.[0]?.value ?? "a"]).toEqual(["key", "a"]);
  });

  test.each<Written>([
    { env: { FXCONFORM_HEADERS: "X-A: a\nX-B: b\n" } },
    { flags: { header: ["X-A: a", "X-B: b c"] } },
    { flags: { apiKeyFile: "key.txt" } },
  ])("that parts headers, or ends a file, gives no warning: %j", (written) => {
    expect(readingOf(written).warnings).toEqual([]);
  });

  test("in the middle of a key is named", () => {
    writeFileSync(join(folder, "two.txt"), "key\nother\n");
    expect(() => keyOf({ flags: { apiKeyFile: "two.txt" } })).toThrow(
      "--api-key-file: has a line break in its middle.",
    );
    const env = { FXCONFORM_API_KEY: "key\nother" };
    expect(readingOf({ env }).problems).toMatchObject([
      { what: "must be a text without a line break in its middle" },
    ]);
  });
});
