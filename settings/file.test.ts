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

test("UTF-8 and UTF-16 are read, and UTF-16 without its mark is named", async () => {
  expect(await read("\uFEFFrate: 5")).toEqual({ rate: 5 });
  expect(await read(Buffer.from("\uFEFFrate: 5", "utf16le"))).toEqual({ rate: 5 });
  expect(await read(swapped("\uFEFFrate: 5"))).toEqual({ rate: 5 });
  for (const bytes of [Buffer.from("rate: 5", "utf16le"), swapped("rate: 5")])
    expect(await read(bytes)).toMatch(/UTF-16 without a byte order mark/);
});

test("what is too deep or has an odd key is said in words", async () => {
  expect(await read(`a: ${"[".repeat(50_000)}`)).toMatch(/it is nested too deeply/);
  for (const odd of ["? [a]\n: 1", "? {a: b}\n: 1", "null: 1", "? \n: 1"])
    expect(await read(odd)).toBe("has a key that is not a text");
  expect(await read("1: a\ntrue: b")).toEqual({ 1: "a", true: "b" });
  expect(await read("a: &a\n  b: *a")).toMatch(/^is not .*circular/);
});
