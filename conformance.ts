/** The suites as tests of vitest: `import { conformance } from "fxconform/vitest"`. */
import { beforeAll, describe, test } from "vitest";
import type { RunnerTask, RunnerTestSuite, TestContext } from "vitest";
import { run, type Options, type Run } from "./index.ts";
import { failureText } from "./reports/console.ts";
import { selectionOf } from "./settings/selection.ts";
import { areas, isRequirementId, requirementOf, requirementsIn } from "./spec/catalogue.ts";
import type { RequirementId } from "./spec/catalogue.ts";

/**
 * Registers tests that check a server: a test for each requirement, in a suite for each area, and
 * one for the gate. One run of the suites is behind them, which starts before the first test and
 * ends by itself. If only some of the tests are selected, by `-t` or `.only`, the run checks no
 * other requirements. `options` are those of `run`; what is wrong with them fails every test.
 */
export function conformance(options: Options): void {
  const { only, exclude } = options;
  const { selection } = selectionOf({ only: named(only), exclude: named(exclude) });
  describe("fxconform", () => {
    let ended: Run | undefined;
    const result = (): Run => {
      if (ended === undefined) throw new Error("no run of the suites has ended");
      return ended;
    };
    // The run has a bound of its own.
    // oxlint-disable-next-line no-empty-pattern -- vitest demands a pattern
    beforeAll(async ({}, suite) => {
      const wanted = selectedIn(suite);
      const isPart = selection.some((id) => !wanted.has(id)) && wanted.size > 0;
      const part = isPart ? { only: [...wanted], exclude: undefined } : {};
      ended = await untilHostEnds(options.signal, (signal) => run({ ...options, ...part, signal }));
      // Tests that are skipped for want of a verdict would look as if all were well.
      const { must, should } = ended.judged;
      if (ended.outcome === "error" || must.judged + should.judged === 0)
        throw failure(ended.summary);
    }, 0);
    for (const area of areas) {
      const own = requirementsIn(area).filter((id) => selection.includes(id));
      describe.runIf(own.length > 0)(area, () => {
        for (const id of own)
          test(`${id} ${requirementOf(id).statement}`, (context) => judge(result(), id, context));
      });
    }
    test("the gate", () => {
      const { gate, requirements } = result();
      const warned = requirements.filter(({ verdict }) => verdict === "warn");
      // The usual reporter prints no annotations.
      // oxlint-disable-next-line no-console -- what tests print is what reporters show
      for (const { id } of warned) console.warn(blockOf(result(), id));
      if (!gate.pass) throw failure(gate.reasons.map(({ text }) => text).join("\n"));
    });
  });
}

const endings = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Performs a run that ends with the process of the tests: when vitest has ended, or wants the
 * process to end. After a signal, the process ends by it once the run has ended.
 */
async function untilHostEnds<T>(
  given: AbortSignal | undefined,
  perform: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const disconnected = (): void => stop.abort();
  const ended = (name: NodeJS.Signals): void => stop.abort(name);
  process.on("disconnect", disconnected);
  for (const name of endings) process.on(name, ended);
  const { signal } = stop;
  try {
    return await perform(given === undefined ? signal : AbortSignal.any([signal, given]));
  } finally {
    process.off("disconnect", disconnected);
    for (const name of endings) process.off(name, ended);
    const ending = endings.find((name) => name === signal.reason);
    if (ending !== undefined) process.kill(process.pid, ending);
  }
}

/** The names in a list, or in a text with commas. What is wrong with them, the run says. */
function named(names: Options["only"]) {
  if (names === undefined) return undefined;
  return {
    value: [names].flat().flatMap((text) => text.split(",").map((name) => name.trim())),
    where: "",
  };
}

/** The requirements whose tests are to run. Empty if none of them is, as with the gate alone. */
function selectedIn(suite: Readonly<RunnerTestSuite>): ReadonlySet<RequirementId> {
  const testsIn = (tasks: readonly RunnerTask[]): readonly RunnerTask[] =>
    tasks.flatMap((task) => (task.type === "suite" ? testsIn(task.tasks) : [task]));
  return new Set(
    testsIn(suite.tasks)
      .filter(({ mode }) => mode === "run" || mode === "queued")
      .map(({ name }) => name.split(" ")[0] ?? "")
      .filter(isRequirementId),
  );
}

/** Ends the test of a requirement as the run has judged it. */
async function judge(
  ended: Run,
  id: RequirementId,
  { annotate, skip }: Pick<TestContext, "annotate" | "skip">,
): Promise<void> {
  const row = ended.requirements.find((one) => one.id === id);
  if (row === undefined || row.verdict === "skip" || row.verdict === "inconclusive")
    return skip(row?.reason ?? "no verdict");
  const known = ended.gate.tolerated.find(({ requirement }) => requirement === id);
  if (row.verdict === "fail" && known !== undefined) return skip(`known failure: ${known.reason}`);
  if (row.verdict === "fail") throw failure(blockOf(ended, id));
  if (row.verdict === "warn") await annotate(blockOf(ended, id), "warning");
}

/** The mistake behind a failure or a warning, with the command of vitest that checks it again. */
const blockOf = (ended: Run, id: RequirementId): string =>
  failureText(ended, id, `npx vitest run -t ${id}`);

/** An error whose stack names no line of code, because none explains what a server does. */
function failure(text: string): Error {
  const error = new Error(text);
  error.name = "Conformance";
  error.stack = `${error.name}: ${text}`;
  return error;
}
