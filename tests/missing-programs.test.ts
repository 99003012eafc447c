import { expect, test } from "vitest";
import { lineFor } from "./missing-programs.ts";

test("the last line says how many tests were skipped because a program is missing, and what installs it", () => {
  const skipped = [["curl", "xmllint"], ["promtool"], ["curl"], [], ["git"]];
  expect(lineFor(skipped, ["curl", "promtool", "xmllint"])).toBe(
    "3 tests were skipped, because programs are missing: curl (2), promtool (1), xmllint (1). Debian packages: curl prometheus libxml2-utils",
  );
  expect(lineFor(skipped, ["chromium"])).toBeUndefined();
});
