import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { read } from "../settings/kinds/kind.ts";
import { optionNames, optionOf, options, flagOf, variableOf, type OptionName } from "../settings/options.ts";

const page = await readFile(new URL("../docs/options.md", import.meta.url), "utf8");

/** The rows of the table of kinds: an option as a flag and in the configuration file. */
const rows = [...(/^## Kinds of values$(.*?)^## /ms.exec(page)?.[1] ?? "").matchAll(/`(--[^`]+)` *\| `([^`]+)`/g)].map(
  ([, flag = "", file = ""]) => {
    const [, word = "", text] = /^(\S+)(?: (.*))?$/.exec(flag) ?? [];
    const [name = "", value] = Object.entries(parse(file) as Record<string, unknown>)[0] ?? [];
    return { word, text, name: name as OptionName, value };
  },
);

test.each(rows)("$word: the flag and the file give the same value", ({ word, text, name, value }) => {
  const { kind } = optionOf(name);
  expect(word).toBe(flagOf(name));
  const reading = read(kind.schema, value);
  expect(reading).toHaveProperty("value");
  expect(reading).toEqual(read(kind.schema, text === undefined ? true : (kind.fromWord?.(text) ?? text)));
});

test("every kind of value has a row", () => {
  const shown = new Set(rows.map(({ name }) => kindOf(name)));
  expect(rows.length).toBeGreaterThan(10);
  expect(optionNames.filter((name) => !shown.has(kindOf(name)))).toEqual([]);
});

/** Options of one kind have schemas of one shape. */
const kindOf = (name: OptionName): string => {
  const { schema, fromWord, repeatable } = optionOf(name).kind;
  return JSON.stringify([schema.type, fromWord?.toString(), repeatable]);
};

test("the files on the page are configuration files", () => {
  const files = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = ""]) => parse(text) as object);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    for (const [name, value] of Object.entries(file)) {
      expect(Object.keys(options)).toContain(name);
      expect(read(optionOf(name as OptionName).kind.schema, value), name).toHaveProperty("value");
    }
  }
});

test("one option in its three spellings", () => {
  for (const text of [flagOf("maxBody"), `${variableOf("maxBody")}=`, "maxBody: "]) expect(page).toContain(`\`${text}`);
});
