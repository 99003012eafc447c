import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { read } from "../settings/kinds/kind.ts";
import { optionOf, options, type OptionName } from "../settings/options.ts";

const page = await readFile(new URL("../docs/options.md", import.meta.url), "utf8");

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
