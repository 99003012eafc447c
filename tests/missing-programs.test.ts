import { expect, test } from "vitest";
import { lineFor } from "./missing-programs.ts";

test("the last line says how many tests were skipped because a program is missing, and what installs it", () => {
  const skipped = [["curl", "tinyproxy"], ["promtool"], ["curl"], [], ["git"]];
  expect(lineFor(skipped, ["curl", "promtool", "nginx", "tinyproxy"])).toBe(
    "3 tests were skipped, because programs are missing: curl (2), promtool (1), tinyproxy (1). Debian packages: curl prometheus tinyproxy",
  );
  expect(lineFor(skipped, ["nginx"])).toBeUndefined();
});
