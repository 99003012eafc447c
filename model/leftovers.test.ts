import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { removeLeftovers, temporaryPath } from "./files.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

test("temporary files of a run that was killed go after an hour, and no other file", () => {
  const folder = temporaryFolder();
  const old = temporaryPath(folder, "report.json");
  const young = temporaryPath(folder, "report.json");
  const others = [".report.json.tmp", "report.json", ".notes.4f2a.tmp", "run.har.0123456789ab.tmp"];
  for (const path of [old, young, ...others.map((name) => join(folder, name))])
    writeFileSync(path, "");
  mkdirSync(join(folder, ".cache.0123456789ab.tmp"));
  const longAgo = Date.now() / 1000 - 3660;
  for (const name of readdirSync(folder))
    if (join(folder, name) !== young) utimesSync(join(folder, name), longAgo, longAgo);
  removeLeftovers(folder);
  expect(readdirSync(folder).toSorted()).toEqual(
    [basename(young), ".cache.0123456789ab.tmp", ...others].toSorted(),
  );
  expect(() => removeLeftovers(join(folder, "none"))).not.toThrow();
});
