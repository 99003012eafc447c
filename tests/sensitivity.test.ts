import { describe, expect, test } from "vitest";
import { blindClasses, blindFaults, blindVariants } from "../reference/blind/index.ts";
import { faults } from "../reference/faults/index.ts";
import { variants } from "../reference/variants/index.ts";
import { requirementIds } from "../spec/catalogue.ts";

/** What the scripts have that are tested here. They are built on `dist/`. */
interface Scripts {
  readonly judged: (result: object) => { readonly ok: boolean; readonly why?: string };
  readonly blindResultOf: (result: object) => string;
  readonly keptResults: () => Readonly<Record<string, { first: string; today: string }>>;
  readonly randomJobs: (n: number, seed: number, all: object) => readonly { readonly id: string }[];
  readonly blindTables: (classes: object, kept: object) => string;
}

const scripts = [
  "sensitivity/judged",
  "sensitivity/blind",
  "sensitivity/combinations",
  "documents/pages",
];
const modules = await Promise.all(
  scripts.map(async (name): Promise<object> => {
    const url = new URL(`../tools/${name}.mjs`, import.meta.url);
    return (await import(url.href)) as object;
  }),
);
const { judged, blindResultOf, keptResults, randomJobs, blindTables }: Scripts = Object.assign(
  {},
  ...modules,
);

type Row = readonly [id: string, verdict: string, operation?: string];

/** A run with these verdicts, and `pass` for all other requirements. */
function runOf(outcome: string, ...rows: readonly Row[]) {
  const requirements = requirementIds.map((id) => {
    const [, verdict = "pass", operation] = rows.find(([one]) => one === id) ?? [];
    const findings = operation === undefined ? [] : [{ operation }];
    return { id, verdict, findings };
  });
  return { outcome, requests: 800, summary: "", requirements, judged: { must: { judged: 90 } } };
}

const fault = { breaks: "OPER-02", operation: "createOperation", also: ["OPER-10"] };
const blamed = runOf("nonconformant", ["OPER-02", "fail", "createOperation"]);

describe("the result of a run is right", () => {
  test.each([
    ["a fault is blamed where it shows", { kind: "fault", fault }, blamed],
    ["a legal server is conformant", { kind: "variant" }, runOf("conformant")],
    ["a rare one gets no verdict", { kind: "variant", rare: true }, runOf("inconclusive")],
    ["one requirement alone passes", { kind: "alone" }, { ...runOf("partial"), requests: 62 }],
    [
      "a blind fault is missed as before",
      { kind: "blind", fault, today: "missed" },
      runOf("conformant"),
    ],
  ])("if %s", (_what, job, run) => {
    expect(judged({ job, run })).toEqual({ ok: true });
  });
});

describe("the result of a run is wrong", () => {
  test.each([
    ["a fault is missed", { kind: "fault", fault }, runOf("conformant"), "missed OPER-02"],
    [
      "a fault is blamed elsewhere",
      { kind: "fault", fault },
      runOf("nonconformant", ["OPER-02", "fail", "listBatches"]),
      "not createOperation",
    ],
    [
      "a fault is blamed on another requirement too",
      { kind: "fault", fault },
      runOf("nonconformant", ["OPER-02", "fail", "createOperation"], ["AUTH-01", "fail"]),
      "also blamed AUTH-01",
    ],
    [
      "a legal server is blamed",
      { kind: "variant" },
      runOf("nonconformant", ["AUTH-01", "fail"]),
      "AUTH-01",
    ],
    ["a usual server gets no verdict", { kind: "variant" }, runOf("inconclusive"), "inconclusive"],
    [
      "it takes more requests",
      { kind: "variant" },
      { ...runOf("conformant"), requests: 1001 },
      "1000",
    ],
    [
      "one alone takes more requests",
      { kind: "alone" },
      { ...runOf("partial"), requests: 63 },
      "62",
    ],
    [
      "a blind fault that was missed is caught",
      { kind: "blind", fault, today: "missed" },
      blamed,
      "missed is kept",
    ],
    [
      "a blind fault that was caught is missed",
      { kind: "blind", fault, today: "caught" },
      runOf("conformant"),
      "caught is kept",
    ],
  ])("if %s", (_what, job, run, why) => {
    const result = judged({ job, run });
    expect(result.ok).toBe(false);
    expect(result.why).toContain(why);
  });

  test("if the process ended", () => {
    expect(judged({ job: { kind: "fault", fault }, crashed: "the process ended" }).ok).toBe(false);
  });

  test("if a fault hides behind fewer verdicts", () => {
    const run = { ...runOf("conformant"), judged: { must: { judged: 80 } } };
    expect(judged({ job: { kind: "behind" }, run, without: runOf("conformant") }).ok).toBe(false);
  });
});

test("a server of the blind set is caught, blamed elsewhere or missed; or blamed, clean or open", () => {
  const other = runOf("nonconformant", ["AUTH-01", "fail"]);
  const ofFault = [blamed, other, runOf("conformant")].map((run) =>
    blindResultOf({ job: { fault }, run }),
  );
  expect(ofFault).toEqual(["caught", "elsewhere", "missed"]);
  const legal = [other, runOf("conformant"), runOf("inconclusive")].map((run) =>
    blindResultOf({ job: {}, run }),
  );
  expect(legal).toEqual(["blamed", "clean", "open"]);
});

describe("the blind set", () => {
  const blind = [...blindFaults, ...blindVariants].map(({ id }) => id);

  test("has at least 100 faults and 40 legal servers in eleven classes, with ids of their own", () => {
    expect(Object.keys(blindClasses)).toHaveLength(11);
    expect(blindFaults.length).toBeGreaterThanOrEqual(100);
    expect(blindVariants.length).toBeGreaterThanOrEqual(40);
    const ids = [...blind, ...[...faults, ...variants].map(({ id }) => id)];
    expect(new Set(ids).size).toBe(ids.length);
    expect(blind.filter((id) => !/^blind(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  });

  test("has a result at first sight and one of today for each server, and for no other", () => {
    const kept = keptResults();
    expect(Object.keys(kept).toSorted()).toEqual(blind.toSorted());
    expect(Object.values(kept).filter(({ first, today }) => first === "" || today === "")).toEqual(
      [],
    );
  });

  test("is counted by class on its page, with the faults that are missed", () => {
    const state = {
      faults: [{ id: "a", breaks: "OPER-02", about: "Does a." }],
      variants: [{ id: "b" }],
    };
    const kept = {
      a: { first: "caught", today: "missed" },
      b: { first: "blamed", today: "clean" },
    };
    const page = blindTables({ state }, kept);
    expect(page).toMatch(/\| state +\| 1 +\| 1 +\| 0 +\| 1 +\| 0 +\| 1 +\|/);
    expect(page).toMatch(/\| OPER-02 +\| a +\| Does a\. +\|/);
  });
});

test("random servers are drawn by their seed, and have no two variants that exclude each other", () => {
  const all = { faults, variants };
  const ids = (seed: number): readonly string[] => randomJobs(4, seed, all).map(({ id }) => id);
  expect(ids(7)).toEqual(ids(7));
  expect(ids(7)).not.toEqual(ids(8));
  expect(ids(7)).toHaveLength(12);
});
