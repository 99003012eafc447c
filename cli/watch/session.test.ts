import { expect, test, vi } from "vitest";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "../../engine/server/control.ts";
import type { Run, Verdict } from "../../model/run.ts";
import { requirementResults } from "../../model/conclusion/conclude.ts";
import { requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import { settings, target } from "../../model/testing/target.ts";
import { runs } from "../../reports/testing/runs.ts";
import { createResults } from "./results.ts";
import { createSession } from "./session.ts";

/** How long a loaded machine may take. */
const soon = { timeout: 20_000, interval: 10 };

const options: RunOptions = {
  target,
  settings,
  strict: false,
  statement: [],
  baseline: [],
};

/** A session whose target fails the requirements in `failing`. Returns what it ran and reported. */
function sessionWith(
  failing: Set<RequirementId>,
  hold: () => Promise<void> = () => Promise.resolve(),
) {
  const log: string[] = [];
  const given: RunOptions[] = [];
  const runOf = (ids: readonly RequirementId[]): Run => ({
    ...runs.conformant,
    requirements: requirementResults(new Map()).map((row) => {
      const checked: Verdict = failing.has(row.id) ? "fail" : "pass";
      const verdict = ids.includes(row.id) ? checked : "skip";
      return { ...row, verdict };
    }),
  });
  const perform = async (own: RunOptions, { signal }: RunControl): Promise<Run> => {
    given.push(own);
    await Promise.race([hold(), new Promise((done) => signal?.addEventListener("abort", done))]);
    return runOf(own.settings.selection);
  };
  const session = createSession({
    options,
    part: perform,
    whole: async (own, control) => {
      const run = await perform(own, control);
      return control.signal?.aborted === true ? undefined : run;
    },
    results: createResults(options),
    view: {
      onStart: (part) => void log.push(part === undefined ? "everything" : part.join(" ")),
      onEnd: (run, before) => {
        const rows = before?.map(({ id }) => run.requirements.find((row) => row.id === id));
        for (const row of rows ?? []) log.push(`${row?.id} ${row?.verdict}`);
      },
      onRest: () => void log.push("rest"),
    },
  });
  return {
    session,
    log,
    given,
    rested: () => vi.waitFor(() => expect(log.at(-1)).toBe("rest"), soon),
  };
}

test("what failed comes first, then everything", async () => {
  const failing = new Set<RequirementId>(["OPER-02", "OPER-13"]);
  const { session, log, given, rested } = sessionWith(failing);
  session.start("everything");
  await rested();
  expect(log.splice(0)).toEqual(["everything", "rest"]);
  failing.delete("OPER-02");
  failing.add("BATCH-03");
  session.start("failed first");
  await rested();
  expect(log).toEqual(["OPER-02 OPER-13", "OPER-02 pass", "OPER-13 fail", "everything", "rest"]);
  expect(given.at(-2)?.settings).toMatchObject({ selection: ["OPER-02", "OPER-13"], fewest: true });
  expect(given.at(-1)?.settings.selection).toEqual(requirementIds);
});

test("something new ends what is under way; while the server is away nothing starts", async () => {
  let release = (): void => undefined;
  const { session, log, given, rested } = sessionWith(
    new Set(),
    () => new Promise((done) => (release = done)),
  );
  session.start("everything");
  await vi.waitFor(() => expect(given).toHaveLength(1), soon);
  session.start("everything");
  await vi.waitFor(() => expect(given).toHaveLength(2), soon);
  session.pause();
  session.start("failed first");
  await vi.waitFor(() => expect(session.isRunning()).toBe(false), soon);
  expect(given).toHaveLength(2);
  session.resume();
  await vi.waitFor(() => expect(given).toHaveLength(3), soon);
  release();
  await rested();
  expect(log.filter((line) => line === "rest")).toHaveLength(1);
  session.end();
  await session.ended;
});

test("however often a requirement is checked again, only exchanges that are shown stay, with ids of their own", () => {
  const { ended, state } = createResults(options);
  const run = runs.nonconformant;
  const again = { ...run, requirements: run.requirements.filter(({ id }) => id === "OPER-02") };
  ended(run);
  for (let times = 0; times < 100; times += 1) ended(again, ["OPER-02"]);
  const ids = state().run.exchanges.map(({ id }) => id) ?? [];
  expect(ids.length).toBeLessThanOrEqual(2 * run.exchanges.length);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every(Number.isSafeInteger)).toBe(true);
});

test("a run of everything shows itself; while some requirements are checked, the last run stays", () => {
  const { ended, started, updated, state } = createResults(options);
  expect(state()).toMatchObject({ checking: "everything", progress: { done: 0 } });
  const run = runs.nonconformant;
  const [failed] = run.requirements.filter(({ verdict }) => verdict === "fail");
  const id = failed?.id ?? "OPER-01";
  const verdictNow = () => state().run.requirements.find((row) => row.id === id)?.verdict;
  ended(run);
  started([id]);
  expect(state()).toMatchObject({ checking: [id], again: [] });
  const requirements = run.requirements.map(
    (row) => ({ ...row, verdict: "pass", findings: [] }) as const,
  );
  const soFar = {
    progress: () => ({ requests: 1, scenariosDone: 0, scenarios: 1, failing: 0 }),
    run: () => ({ ...run, requirements }),
  };
  updated(soFar);
  expect(verdictNow()).toBe("fail");
  ended(soFar.run(), [id]);
  expect(verdictNow()).toBe("pass");
  expect(state()).toMatchObject({ again: [id] });
});
