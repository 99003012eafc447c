import { expect, test } from "vitest";
import { programName } from "./command-line.ts";

test.each([
  ["/home/u/project/node_modules/.bin/fxconform", "npx fxconform"],
  ["/home/u/.npm/_npx/1/node_modules/.bin/fxconform", "npx fxconform"],
  ["/usr/local/bin/fxconform", "fxconform"],
  ["/home/u/project/dist/cli/bin.js", "node dist/cli/bin.js"],
  ["/home/u/my clone/dist/cli/bin.js", "node '/home/u/my clone/dist/cli/bin.js'"],
  ["/home/u/scripts/documents.mjs", "fxconform"],
  ["", "fxconform"],
])("%s is called as %s", (script, want) => {
  expect(programName(script, "/home/u/project")).toBe(want);
});
