import { expect, test } from "vitest";
import { requirementResults } from "../../model/conclusion/conclude.ts";
import { concluded, runs } from "../testing/runs.ts";
import { livePage, type LiveState } from "./live-page.ts";

const rows = requirementResults(new Map());
const run = {
  ...runs.nonconformant,
  requirements: rows.map((row, index) => ({
    ...row,
    verdict: index < 22 ? ("inconclusive" as const) : ("pass" as const),
  })),
};
const progress = { done: 0.42, left: 7_300, requests: 98 };

function live(state: Partial<LiveState>) {
  return livePage({ run, again: [], ...state });
}
function statusOf(state: Partial<LiveState>): string {
  return /<h1 id="status"[^>]*>(.*?)<\/h1>/.exec(live(state).status)?.[1] ?? "";
}

test("the status counts what the run in progress checks", () => {
  const all = rows.length;
  expect(statusOf({ checking: "everything", progress })).toContain(
    `: 98 requests, ${all - 22} of ${all} requirements checked, no failure so far.`,
  );
  expect(statusOf({ checking: ["OPER-01", "OPER-02"], progress })).toBe(
    "Checking 2 requirements again: 98 requests.",
  );
  expect(statusOf({ again: ["OPER-01"] })).toBe(
    "Checked again: OPER-01. Now no failure. Check everything for a new outcome.",
  );
});

test("a run in progress has a bar with the time that is left", () => {
  const barOf = (more: object) =>
    live({ checking: "everything", progress: { ...progress, ...more } }).status;
  expect(barOf({ waiting: "waiting for the target" })).toContain(
    "about 8 s left, waiting for the target",
  );
  expect(barOf({})).toContain('<progress max="100" value="42"');
  expect(live({}).status).not.toContain("<progress max");
  expect(barOf({ left: undefined })).toContain("waiting for responses");
});

test("the page stays as it is while only the number of requests and the time change", () => {
  const at = (requests: number) => ({
    checking: "everything" as const,
    run: { ...run, requests, durationMs: requests },
    progress: { ...progress, requests },
  });
  expect(live(at(3)).page).toBe(live(at(4)).page);
  expect(live(at(3)).status).not.toBe(live(at(4)).status);
});

test("nothing is concluded before the run has ended", () => {
  const waiting = {
    ...runs.nonconformant,
    causes: runs.nonconformant.causes.map((cause) => ({
      ...cause,
      waiting: rows.slice(0, 5).map(({ id }) => id),
    })),
  };
  const untested = concluded({}, { untested: "No valid request succeeded at GET /batches." });
  for (const [said, words] of [
    [waiting, "5 requirements have no verdict"],
    [untested, "No valid request succeeded"],
  ] as const) {
    expect(live({ run: said, checking: "everything" }).page).not.toContain(words);
    expect(live({ run: said }).page).toContain(words);
  }
});
