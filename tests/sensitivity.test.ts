import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { blindClasses, blindFaults, blindVariants } from "../reference/blind/index.ts";
import { faults } from "../reference/faults/index.ts";
import { areCompatible, variants } from "../reference/variants/index.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { scenarios } from "../suites/index.ts";

/** By the id of a fault, the scenario that shows it, or it and others that it needs. */
type Shown = Readonly<Record<string, string | readonly string[]>>;

/** The functions of the scripts that are tested here. They need `dist/`. */
interface Scripts {
  readonly judged: (result: object) => { readonly ok: boolean; readonly why?: string };
  readonly blindResultOf: (result: object) => string;
  readonly keptResults: () => Readonly<Record<string, { first: string; today: string }>>;
  readonly randomJobs: (n: number, seed: number, all: object) => readonly { readonly id: string }[];
  readonly blindTables: (classes: object, kept: object) => string;
  readonly runsOf: (job: object, shown: Shown) => readonly object[];
  readonly shownBy: () => Shown;
  readonly shownIn: (results: readonly object[]) => object;
  readonly blindJobs: (settings: object) => readonly { readonly id: string }[];
  readonly setJobs: (jobs: readonly VariantJob[], seed: number) => readonly VariantJob[];
  readonly halvesOf: (job: { readonly members: readonly VariantJob[] }) => readonly VariantJob[];
  readonly speaksForAll: (result: object) => boolean;
  readonly whyHalved: (result: object) => string;
  readonly resultsOf: (
    result: object,
  ) => readonly { readonly job: { readonly id: string; readonly kind: string } }[];
  readonly adviceOn: (name: string, options: object) => string;
  readonly measureAll: (
    jobs: readonly object[],
    settings: object,
  ) => Promise<readonly { readonly crashed?: string }[]>;
}

/** A job of a variant, or of a set of variants. */
interface VariantJob {
  readonly id: string;
  readonly kind: string;
  readonly variants: readonly string[];
  readonly seed: number;
  readonly members?: readonly VariantJob[];
}

const scripts = [
  "sensitivity/judged",
  "sensitivity/blind",
  "sensitivity/combinations",
  "sensitivity/runs",
  "sensitivity/sets",
  "sensitivity/shown",
  "sensitivity/pool",
  "sensitivity/names",
  "documents/pages",
];
const modules = await Promise.all(
  scripts.map(async (name): Promise<object> => {
    const url = new URL(`../tools/${name}.mjs`, import.meta.url);
    return (await import(url.href)) as object;
  }),
);
const all: Scripts = Object.assign({}, ...modules);
const { judged, blindResultOf, keptResults, randomJobs, blindTables } = all;
const { runsOf, shownBy, shownIn, blindJobs, adviceOn, measureAll } = all;
const { setJobs, halvesOf, speaksForAll, resultsOf, whyHalved } = all;

type Row = readonly [id: string, verdict: string, operation?: string];

/** A run with these verdicts, and with `pass` for all other requirements. */
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
    ["one requirement alone passes", { kind: "alone" }, { ...runOf("partial"), requests: 59 }],
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
      { ...runOf("partial"), requests: 60 },
      "59",
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
  const known = { faults, variants };
  const ids = (seed: number): readonly string[] => randomJobs(4, seed, known).map(({ id }) => id);
  expect(ids(7)).toEqual(ids(7));
  expect(ids(7)).not.toEqual(ids(8));
  const run = runOf("conformant");
  const jobs = randomJobs(40, 7, known);
  // Each legal server has a result, whether it has a job of its own or not.
  const kinds = jobs.flatMap((job) => resultsOf({ job, run, without: run }));
  expect(kinds.filter(({ job }) => job.kind === "variant")).toHaveLength(40);
  expect(jobs.length).toBeGreaterThan(80);
  expect(jobs.length).toBeLessThan(100);
});

describe("sets of variants", () => {
  const jobs = variants.map(({ id }) => ({ id, kind: "variant", variants: [id], seed: 1 }));
  const idsIn = (job: VariantJob): readonly string[] => (job.members ?? [job]).map(({ id }) => id);
  const drawn = (seed: number): readonly (readonly string[])[] => setJobs(jobs, seed).map(idsIn);
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  const named = (ids: readonly string[]) => ids.map((id) => byId.get(id) ?? expect.fail(id));

  test("have each variant once, in a fourth as many runs", () => {
    const sets = drawn(7);
    expect(sets.flat().toSorted()).toEqual(jobs.map(({ id }) => id).toSorted());
    expect(sets.filter((set) => set.length > 1).flat().length).toBeGreaterThan(220);
    expect(sets.filter((set) => set.length > 1).length).toBeLessThan(60);
  });

  test("put a variant beside others with another seed, and beside the same with the same seed", () => {
    expect(drawn(7)).toEqual(drawn(7));
    const beside = (seed: number) => drawn(seed).find((set) => set.includes("ids-slashes"));
    expect(beside(7)).not.toEqual(beside(8));
  });

  test.each([1, 2, 3, 4, 5])(
    "of seed %d have none that must be alone or excludes another",
    (seed) => {
      for (const set of drawn(seed).filter(({ length }) => length > 1)) {
        const members = named(set);
        expect(members.filter(({ rare, needs }) => rare === true || needs?.onlyEfx)).toEqual([]);
        const pairs = members.flatMap((one, at) =>
          members.slice(at + 1).map((other) => [one, other]),
        );
        for (const [one, other] of pairs)
          expect(one && other && areCompatible(one, other)).toBe(true);
      }
    },
  );

  const members = ["a", "b"].map((id) => ({ id, kind: "variant", variants: [id], seed: 1 }));
  const job = { id: "a+b", kind: "set", members };
  const clean = runOf("conformant");
  const hiding = runOf("conformant", ["BATCH-24", "inconclusive"]);
  const blaming = runOf("nonconformant", ["BATCH-24", "fail"]);

  test("speak for each variant if they are conformant with every verdict", () => {
    const speaking = [clean, hiding, blaming, runOf("inconclusive"), { ...clean, requests: 1001 }];
    expect(speaking.map((run) => speaksForAll({ job, run }))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(resultsOf({ job, run: clean })).toEqual(
      members.map((one) => ({ job: one, run: clean })),
    );
  });

  const halves = halvesOf({ members }).map((half) => half.id);
  const apart = (run: object) => members.map((one) => ({ job: one, run }));
  test.each([
    ["leave verdicts open", hiding, apart(clean), ["a", "b"], 0],
    ["are blamed for a variant", blaming, apart(blaming), ["a", "b"], 2],
    ["are blamed, and none of their variants", blaming, apart(clean), ["a", "b", "a+b"], 1],
  ])("that %s have the results of their halves", (_what, run, ran, ids, wrong) => {
    expect(halves).toEqual(["a", "b"]);
    const results = resultsOf({ job, run, halves: ran });
    expect(results.map((one) => one.job.id)).toEqual(ids);
    expect(results.filter((one) => !judged(one).ok)).toHaveLength(wrong);
  });

  test("are halved until a half is clean or a single variant, which is the reason", () => {
    const [first, second] = halvesOf({
      members: ["a", "b", "c"].map((id) => ({ id, kind: "variant", variants: [id], seed: 1 })),
    });
    expect([first, second]).toMatchObject([{ id: "a+b", kind: "set" }, { id: "c" }]);
    const [a, b] = halvesOf({ members: first?.members ?? [] });
    const quarters = [
      { job: a, run: hiding },
      { job: b, run: clean },
    ];
    const parts = [
      { job: first, run: hiding, halves: quarters },
      { job: second, run: clean },
    ];
    const result = { job: { id: "a+b+c", kind: "set" }, run: hiding, halves: parts };
    expect(resultsOf(result).map((one) => one.job.id)).toEqual(["a", "b", "c"]);
    expect(whyHalved(result)).toBe("a (leaves open BATCH-24)");
    const clear = parts.map((part) => ({ job: part.job, run: clean }));
    expect(whyHalved({ ...result, halves: clear })).toBe("a+b+c (leaves open BATCH-24)");
    expect(whyHalved({ ...result, run: blaming, halves: clear })).toContain("BATCH-24");
  });

  test("that crash are wrong", () => {
    const [result] = resultsOf({ job, crashed: "the process ended" });
    expect(result && judged(result).ok).toBe(false);
  });
});

describe("the runs of a job", () => {
  const narrow = { settings: { fewest: true }, selection: ["OPER-02"] };
  const full = { settings: { fewest: false }, selection: undefined };
  const ofFault = { ...narrow, fault: { id: "a", breaks: "OPER-02" } };

  test("of a fault are one of its requirement, and a full one", () => {
    expect(runsOf({ kind: "fault", ...ofFault }, {})).toEqual([narrow, full]);
  });

  test("of a fault that only a full run has shown take along the scenario that did", () => {
    const [first, second] = runsOf({ kind: "fault", ...ofFault }, { a: "operation.zero" });
    const settings = { fewest: true, scenarios: ["operation.zero"] };
    expect([first, second]).toEqual([{ ...narrow, settings }, full]);
    const both = ["operation.zero", "operation.valid"];
    const [needing] = runsOf({ kind: "fault", ...ofFault }, { a: both });
    expect(needing).toEqual({ ...narrow, settings: { fewest: true, scenarios: both } });
  });

  test("of a fault in every response begin with all requirements of its endpoint", () => {
    const fault = { id: "a", breaks: "HTTP-04", operation: "addAcamItem" };
    const [first] = runsOf({ kind: "fault", ...narrow, selection: ["HTTP-04"], fault }, {});
    const acam = requirementIds.filter((id) => id.startsWith("ACAM-"));
    expect(first).toEqual({ ...narrow, selection: expect.arrayContaining(["HTTP-04", ...acam]) });
  });

  test.each([
    ["a blind fault that was missed", { kind: "blind", ...ofFault, today: "missed" }],
    ["a requirement alone", { kind: "alone", ...narrow }],
    ["a legal server", { kind: "variant" }],
  ])("of %s are one", (_what, job) => {
    expect(runsOf(job, {})).toEqual([{}]);
  });
});

describe("the scenario that shows a fault", () => {
  test("is that of a full run, at the endpoint of the fault", () => {
    const findings = [
      { operation: "listBatches", scenario: "batches.list" },
      { operation: "createOperation", scenario: "operation.zero" },
    ];
    const run = { requirements: [{ id: "OPER-02", findings }] };
    const job = { id: "a", fault: { breaks: "OPER-02", operation: "createOperation" } };
    expect(shownIn([{ job, run, full: true }])).toEqual({ a: "operation.zero" });
    expect(
      shownIn([
        { job, run, full: false },
        { job, crashed: "" },
      ]),
    ).toEqual({});
  });

  test("exists, and so does the fault, for each that is kept", () => {
    const known = new Set([...faults, ...blindFaults].map(({ id }) => id));
    const names = new Set(scenarios.map(({ id }) => id));
    const unknown = Object.entries(shownBy()).filter(
      ([fault, shown]) => !known.has(fault) || ![shown].flat().every((id) => names.has(id)),
    );
    expect(unknown).toEqual([]);
  });
});

test("a check of the blind set has each steady fault, and an eighth of the legal servers", () => {
  const kept = Object.entries(keptResults()) as [string, { readonly unsteady?: boolean }][];
  const unsteady = new Set(kept.filter(([, row]) => row.unsteady === true).map(([id]) => id));
  const steady = blindFaults.map(({ id }) => id).filter((id) => !unsteady.has(id));
  const jobs = (sample: number) => blindJobs({ check: true, sample }).map(({ id }) => id);
  expect(jobs(1)).toEqual(expect.arrayContaining(steady));
  const legal = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((sample) =>
    jobs(sample).filter((id) => !steady.includes(id)),
  );
  expect(legal.toSorted()).toEqual(blindVariants.map(({ id }) => id).toSorted());
});

describe("jobs of several processes", () => {
  /**
   * The program of a process that does what a job says, and reports how often it was asked before.
   */
  const program = `
    let before = 0;
    process.on("message", (job) => {
      if (job.does === "ends") process.exit(1);
      if (job.does !== "hangs") process.send({ job, before });
      before += 1;
    });
    process.on("disconnect", () => process.exit());`;

  function measured(jobs: readonly object[], processes: number, limit = 60_000) {
    const worker = join(temporaryFolder(), "worker.mjs");
    writeFileSync(worker, program);
    return measureAll(jobs, { processes, limit, worker });
  }

  test("have their results in the order of the jobs", async () => {
    const jobs = [{ id: 0 }, { id: 1, needs: { slow: true } }, { id: 2 }, { id: 3 }];
    expect(await measured(jobs, 2)).toMatchObject(jobs.map((job) => ({ job })));
  });

  test("share a process, and begin with what waits", async () => {
    const results = await measured([{ id: 0 }, { id: 1, settings: { timeout: 1 } }], 1);
    expect(results).toMatchObject([{ before: 1 }, { before: 0 }]);
  });

  test("crash alone: a process that ends is replaced", async () => {
    const results = await measured([{ id: 0 }, { id: 1, does: "ends" }, { id: 2 }], 1);
    const reasons = [undefined, "the process ended", undefined];
    expect(results.map(({ crashed }) => crashed)).toEqual(reasons);
  });

  test("crash if they take too long", async () => {
    const [result] = await measured([{ id: 0, does: "hangs" }], 1, 200);
    expect(result?.crashed).toBe("took longer than 200 ms");
  });
});

describe("a name of --only by which nothing runs", () => {
  test.each([
    [blindFaults[0]?.id ?? "", {}, "add --blind"],
    ["operation-created-201", { blind: true }, "leave out --blind"],
    ["operation-created-201", { kind: "variant" }, "--kind variant leaves it out"],
    [blindVariants[0]?.id ?? "", { blind: true, check: true }, "--check leaves it out"],
    ["AUTH-42", { blind: true }, "None of these servers breaks it"],
    ["operation-created-210", {}, "Did you mean operation-created-201?"],
    ["OPER-1O", { alone: true }, "Did you mean OPER-10?"],
    ["operation-created-201", { alone: true }, "With --alone, requirements run"],
    ["nothing of the kind", {}, "serve --list"],
  ])("%s with %j", (name, options, advice) => {
    expect(adviceOn(name, options)).toContain(advice);
    expect(adviceOn(name, options)).not.toContain(`mean ${name}?`);
  });
});
