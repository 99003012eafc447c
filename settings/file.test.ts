import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { parsedFile } from "./file.ts";
import { UsageError } from "./problem.ts";

/** The value of a YAML file with this content, or the text of its only problem. */
async function read(content: string | Buffer): Promise<unknown> {
  const path = join(temporaryFolder(), "a.yaml");
  writeFileSync(path, content);
  return parsedFile(path, "--config").catch(
    (error: unknown) => (error as UsageError).problems[0]?.what,
  );
}

const swapped = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

test("UTF-8 and UTF-16 are read", async () => {
  expect(await read("\uFEFFrate: 5")).toEqual({ rate: 5 });
  expect(await read(Buffer.from("\uFEFFrate: 5", "utf16le"))).toEqual({ rate: 5 });
  expect(await read(swapped("\uFEFFrate: 5"))).toEqual({ rate: 5 });
});

test("what is too deep or has no end is said in words", async () => {
  expect(await read(`a: ${"[".repeat(50_000)}`)).toMatch(/it is nested too deeply/);
  expect(await read("? [a]\n: 1")).toEqual({ "[ a ]": 1 });
  expect(await read("1: a\ntrue: b")).toEqual({ 1: "a", true: "b" });
  expect(await read("a: &a\n  b: *a")).toMatch(/^is not .*circular/);
});
