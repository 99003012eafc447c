import { setMaxListeners } from "node:events";
import { afterAll, beforeAll, describe, inject, test } from "vitest";
import { Inconclusive, Violation } from "../harness/scenario-errors.ts";
import { ready, type Command, type WorkerInput } from "../harness/worker-input.ts";
import type { Evidence } from "../model/evidence.ts";
import { scenarios } from "./index.ts";
import { createContext } from "./kit/context.ts";
import { explainGaps } from "./kit/gaps.ts";
import { repeatFindings } from "./kit/repetition.ts";
import { createRunContext } from "./kit/run-context.ts";
import type { Phase, Scenario } from "./kit/scenario.ts";
import { mostUrgentFirst } from "./kit/urgency.ts";
import { reducedWarning, selectScenarios } from "./kit/selection.ts";

/**
 * The one entry module of the engine: one worker, one run, three phases, in each of which scenarios run at the same time. vitest runs each scenario as a test; what
 * it finds leaves by the channel, and vitest's own verdict says only whether our code held.
 */
const input = inject("fxconform" as never) as WorkerInput;
const channel = new BroadcastChannel(input.channel);
const stop = new AbortController();
const emit = (evidence: readonly Evidence[]): void => channel.postMessage(evidence);
/** Resolves to the tokens that were issued before; to undefined where nothing is to run. */
const started = new Promise<readonly string[] | undefined>((resolve) => {
  channel.onmessage = ({ data }: { data: unknown }) => {
    const command = data as Command;
    if (command.type === "stop") stop.abort();
    else resolve(command.type === "start" ? command.tokens : undefined);
  };
});
setMaxListeners(0, stop.signal);

const run = createRunContext(input, emit, stop.signal);
const { recorder } = run;
const selected = selectScenarios(scenarios, input.settings);
let isStarted = false;

beforeAll(async () => {
  channel.postMessage(ready);
  const tokens = await started;
  if (tokens === undefined) return;
  isStarted = true;
  for (const token of tokens) run.redaction.add(token, "token");
  const warning = reducedWarning(selected, input.settings);
  if (warning !== undefined) recorder.emit({ type: "warning", text: warning });
  for (const { title, phase, operations } of selected.scenarios) {
    // Those of the last phase send bad credentials: they need no success.
    recorder.emit({ type: "planned", scenario: title, operations: phase === "last" ? [] : operations });
  }
  recorder.flush();
});

/** Resolves when a scenario has ended. */
const ends = new Map(
  selected.scenarios.map((scenario) => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return [scenario, { ended, end: () => end() }];
  }),
);

/** Starts scenarios one after another, as each draws what it sends: requests of the first go out meanwhile. */
let starts = Promise.resolve();
const turnToStart = (): Promise<void> => {
  starts = starts.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return starts;
};

const perform = async (scenario: Scenario, urgency: number): Promise<void> => {
  if (!isStarted) return;
  const context = createContext(run, { ...scenario, urgency });
  for (const earlier of scenario.after ?? []) await ends.get(earlier)?.ended;
  await turnToStart();
  const started = performance.now();
  try {
    await scenario.run(context);
  } catch (error) {
    if (error instanceof Inconclusive) {
      const concerned = error.requirements.length > 0 ? error.requirements : scenario.requirements;
      for (const requirement of concerned) recorder.inconclusive(requirement, error.message);
    } else if (!(error instanceof Violation)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      recorder.emit({ type: "suite error", scenario: scenario.id, text: run.redaction.redact(text) });
      throw error;
    }
  } finally {
    ends.get(scenario)?.end();
    const to = performance.now();
    if (run.traced) recorder.emit({ type: "span", scenario: scenario.id, from: started, to, took: 0 });
    recorder.emit({ type: "done", requirements: scenario.requirements, took: performance.now() - started });
  }
};

const phases: readonly Phase[] = ["before", "main", "last"];

for (const phase of phases) {
  const own = mostUrgentFirst(selected.scenarios.filter((scenario) => (scenario.phase ?? "main") === phase));
  if (own.length === 0) continue;
  describe.sequential(phase, () => {
    for (const { scenario, urgency } of own) test.concurrent(scenario.id, () => perform(scenario, urgency));
  });
}
describe.sequential("repeat", () => {
  test("findings are repeated", () => repeatFindings(run));
});

afterAll(async () => {
  if (isStarted) {
    explainGaps(run);
    for (const { question, inCase, answer } of run.probes.answers()) recorder.observe(question, inCase, answer);
    recorder.flush();
    emit([{ type: "end", requests: run.sender.requests(), peakInFlight: run.rateLimiter.peak() }]);
  }
  await run.client.close();
  channel.close();
});
