import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { areCompatible, deviations, variants } from "../reference/deviations/index.ts";
import { requirementIds } from "../spec/catalogue.ts";

interface Job {
  readonly ids: readonly string[];
  readonly seed?: number;
  readonly alone?: string;
}
interface Result {
  readonly job: Job;
  readonly before?: number;
  readonly crashed?: string;
}

/** The functions of the scripts that are tested here. They need `dist/`. */
interface Scripts {
  readonly wrongIn: (result: object) => string | undefined;
  readonly quickJobs: (seed: number) => readonly Job[];
  readonly randomJobs: (n: number, seed: number) => readonly Job[];
  readonly measureAll: (jobs: readonly object[], settings: object) => Promise<readonly Result[]>;
}

const modules = await Promise.all(
  ["judged", "jobs", "pool"].map(async (name): Promise<object> => {
    const url = new URL(`../tools/sensitivity/${name}.mjs`, import.meta.url);
    return (await import(url.href)) as object;
  }),
);
const all: Scripts = Object.assign({}, ...modules);
const { wrongIn, quickJobs, randomJobs, measureAll } = all;

type Row = readonly [id: string, verdict: string, operation?: string];

/** A run with these verdicts, and with `pass` for all other requirements. */
function runOf(outcome: string, ...rows: readonly Row[]) {
  const requirements = requirementIds.map((id) => {
    const [, verdict = "pass", operation] = rows.find(([one]) => one === id) ?? [];
    const findings = operation === undefined ? [] : [{ operation }];
    return { id, verdict, findings };
  });
  return { outcome, requests: 800, summary: "", requirements };
}

const conformant = runOf("conformant");
const blaming = (...rows: readonly Row[]) => runOf("nonconformant", ...rows);
const own: Row = ["OPER-05", "fail", "createOperation"];
const other: Row = ["AUTH-01", "fail"];
const fault: Job = { ids: ["operation-id-number"] };
const missed: Job = { ids: ["blind-idle-then-500"] };
const legal: Job = { ids: ["list-shuffled", "ids-long"] };
const rare: Job = { ids: ["counterparties-one"] };
const alone: Job = { ids: [], alone: "OPER-02" };

test.each([
  ["a fault that is blamed where it shows", fault, blaming(own, ["OPER-10", "fail"])],
  ["a fault that is known to be missed", missed, conformant],
  ["legal servers that conform", legal, conformant],
  ["a rare server without a verdict", rare, { ...runOf("inconclusive"), requests: 1001 }],
  ["a requirement that passes alone", alone, { ...runOf("partial"), requests: 130 }],
])("right is %s", (_what, job, run) => {
  expect(wrongIn({ job, run })).toBeUndefined();
});

test.each([
  ["a missed fault", fault, conformant, "missed OPER-05"],
  ["a fault blamed elsewhere", fault, blaming(["OPER-05", "fail", "listBatches"]), "listBatches"],
  ["a fault blamed for more", fault, blaming(own, other), "also blamed AUTH-01"],
  ["a missed fault blamed for others", missed, blaming(other), "also blamed AUTH-01"],
  ["a legal server that is blamed", legal, blaming(other), "AUTH-01"],
  ["a rare server that is blamed", rare, blaming(other), "AUTH-01"],
  ["a usual server without a verdict", legal, runOf("inconclusive"), "inconclusive"],
  ["a server that takes more requests", legal, { ...conformant, requests: 1001 }, "1000"],
  ["a requirement that takes more", alone, { ...runOf("partial"), requests: 131 }, "130"],
])("wrong is %s", (_what, job, run, why) => {
  expect(wrongIn({ job, run })).toContain(why);
});

test("a crash is wrong", () => {
  expect(wrongIn({ job: fault, crashed: "the process ended" })).toBe("the process ended");
});

describe("a check", () => {
  const byId = new Map(deviations.map((one) => [one.id, one]));
  const named = ({ ids }: Job) => ids.map((id) => byId.get(id) ?? expect.fail(id));

  test.each([1, 2, 3])("of seed %d puts legal servers together that exclude no other", (seed) => {
    const jobs = quickJobs(seed);
    const ids = jobs.flatMap((job) => job.ids);
    const slow = deviations.filter((one) => one.breaks === undefined && one.needs?.slow);
    expect(ids.toSorted()).toEqual(
      deviations
        .filter((one) => !slow.includes(one))
        .map(({ id }) => id)
        .toSorted(),
    );
    const sets = jobs.map(named).filter(({ length }) => length > 1);
    expect(sets.flat().length).toBeGreaterThan(variants.length / 2);
    for (const set of sets) {
      expect(set.filter(({ breaks, known }) => breaks ?? known)).toEqual([]);
      const pairs = set.flatMap((one, at) => set.slice(at + 1).map((next) => [one, next] as const));
      for (const [one, next] of pairs) expect(areCompatible(one, next)).toBe(true);
    }
  });

  test("puts a server beside others with another seed", () => {
    const beside = (seed: number) => quickJobs(seed).find(({ ids }) => ids.includes("ids-slashes"));
    expect(beside(7)).toEqual(beside(7));
    expect(beside(7)?.ids).not.toEqual(beside(8)?.ids);
  });

  test("draws random servers by the seed: legal ones, and one fault on a legal one", () => {
    const jobs = randomJobs(4, 7);
    expect(jobs).toEqual(randomJobs(4, 7));
    expect(jobs).not.toEqual(randomJobs(4, 8));
    const counts = jobs.map((job) => named(job).filter(({ breaks }) => breaks).length);
    expect(counts).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });
});

describe("jobs of several processes", () => {
  /** Does what a job says, and reports how often it was asked before. */
  const program = `
    let before = 0;
    process.on("message", (job) => {
      if (job.does === "ends") process.exit(1);
      if (job.does !== "hangs") process.send([{ job, before }]);
      before += 1;
    });
    process.on("disconnect", () => process.exit());`;

  function measured(jobs: readonly object[], limit = 60_000) {
    const worker = join(temporaryFolder(), "worker.mjs");
    writeFileSync(worker, program);
    return measureAll(jobs, { processes: 1, limit, worker });
  }

  test("share a process, and begin with what waits", async () => {
    const results = await measured([{ ids: [] }, { ids: ["list-lags-three-seconds"] }]);
    expect(results.map(({ job }) => job.ids.length)).toEqual([1, 0]);
    expect(results.map(({ before }) => before)).toEqual([0, 1]);
  });

  test("crash alone: a process that ends is replaced", async () => {
    const results = await measured([{ ids: [] }, { ids: [], does: "ends" }, { ids: [] }]);
    expect(results.map(({ crashed }) => crashed)).toEqual([
      undefined,
      "the process ended",
      undefined,
    ]);
  });

  test("crash if they take too long", async () => {
    const [result] = await measured([{ ids: [], does: "hangs" }], 200);
    expect(result?.crashed).toBe("took longer than 200 ms");
  });
});
