import { expect, test } from "vitest";
import { programName, shellWord } from "./command-line.ts";

test.each([
  ["/home/u/project/node_modules/.bin/fxconform", "npx fxconform"],
  ["/usr/local/bin/fxconform", "fxconform"],
  ["/home/u/project/dist/cli/bin.js", "node dist/cli/bin.js"],
  ["/home/u/my clone/dist/cli/bin.js", "node '/home/u/my clone/dist/cli/bin.js'"],
  ["", "npx fxconform"],
  ["/home/u/project/node_modules/vitest/vitest.mjs", "npx fxconform"],
])("%s is called as %s", (script, want) => {
  expect(programName(script, "/home/u/project")).toBe(want);
});

test.each([
  ["two words", "'two words'", '"two words"'],
  ["it's", String.raw`'it'\''s'`, '"it\'s"'],
  [String.raw`C:\reports`, String.raw`'C:\reports'`, String.raw`C:\reports`],
  ['{"a":1}', `'{"a":1}'`, String.raw`"{\"a\":1}"`],
])("%s is quoted for a POSIX shell and for cmd.exe", (word, posix, windows) => {
  expect([shellWord(word, "linux"), shellWord(word, "darwin")]).toEqual([posix, posix]);
  expect(shellWord(word, "win32")).toBe(windows);
});
