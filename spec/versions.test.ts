import { expect, test } from "vitest";
import { requirementIds } from "./catalogue.ts";
import { addedAfter, catalogueVersions, type DatedRequirement } from "./versions.ts";

const rows: readonly DatedRequirement[] = [
  { requirement: "AUTH-01", since: "0.10.0" },
  { requirement: "AUTH-02", since: "0.1.0" },
  { requirement: "AUTH-03", since: "0.9.1" },
  { requirement: "AUTH-04", since: "0.1.0" },
];

test("each version is listed once, in numeric order", () => {
  expect(catalogueVersions(rows)).toEqual(["0.1.0", "0.9.1", "0.10.0"]);
});

test.each([
  ["0.1.0", ["AUTH-01", "AUTH-03"]],
  ["0.9.1", ["AUTH-01"]],
  ["0.10.0", []],
])("added after %s: %j", (version, wanted) => {
  expect(addedAfter(version, rows).map(({ requirement }) => requirement)).toEqual(wanted);
});

test("no requirement is newer than the last version, and every version added requirements", () => {
  const versions = catalogueVersions();
  expect(addedAfter(versions.at(-1) ?? "")).toEqual([]);
  for (const version of versions) expect(addedAfter(version).length).toBeLessThan(requirementIds.length);
});
