import { expect, test } from "vitest";
import { requirementResults } from "../../model/conclusion/outcome.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { runs } from "../testing/runs.ts";
import { livePage } from "./live-page.ts";

const rows = requirementResults(new Map());
const run = {
  ...runs.nonconformant,
  requests: 98,
  requirements: rows.map((row) => ({ ...row, verdict: "pass" as const })),
};
const first = (count: number): readonly RequirementId[] => rows.slice(0, count).map(({ id }) => id);
const statusOf = (state: Partial<Parameters<typeof livePage>[0]>): string => {
  const page = livePage({ run, isRunning: true, pending: new Set(), again: new Set(), ...state }, "");
  return /<h1 id="status"[^>]*>(.*?)<\/h1>/.exec(page)?.[1] ?? "";
};

test("the status counts what the run in progress checks", () => {
  const all = rows.length;
  expect(statusOf({ pending: new Set(first(22)) })).toContain(
    `: 98 requests, ${all - 22} of ${all} requirements checked`,
  );
  const again = statusOf({ part: first(45), pending: new Set(first(30)) });
  expect(again).toMatch(/^Checking again at http\S+: 98 requests, 15 of 45 requirements checked, no failure so far\.$/);
});

test("the status leaves out what is not selected", () => {
  const requirements = run.requirements.map((row, index) => (index < 2 ? row : { ...row, verdict: "skip" as const }));
  expect(statusOf({ run: { ...run, requirements } })).toContain("2 of 2 requirements checked");
});
