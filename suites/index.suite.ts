import { setMaxListeners } from "node:events";
import { afterAll, describe, inject, test } from "vitest";
import type { Evidence } from "../model/evidence.ts";
import type { WorkerInput } from "../harness/worker-input.ts";
import { selectScenarios, type Phase } from "../harness/scenario.ts";
import { Inconclusive, Violation } from "../harness/scenario-errors.ts";
import { createTargetKnowledge } from "./kit/target-knowledge.ts";
import { scenarios } from "./index.ts";
import { repeatFindings } from "./kit/repetition.ts";
import { createContext, type Context } from "./kit/context.ts";
import { createRunContext } from "./kit/run-context.ts";
import type { Scenario } from "../harness/scenario.ts";

/**
 * The one entry module of the engine: one worker, one run, three phases. vitest runs each scenario as a test; what
 * it finds leaves by the channel, and vitest's own verdict only tells whether our code held.
 */
const provided = inject("fxconform" as never) as WorkerInput;
const channel = new BroadcastChannel(provided.channel);
const stop = new AbortController();
const emit = (evidence: readonly Evidence[]): void => channel.postMessage(evidence);
channel.onmessage = ({ data }: { data: unknown }) => {
  if (data === "stop") stop.abort();
};
setMaxListeners(0, stop.signal);

const run = createRunContext(provided, emit, stop.signal);
const knowledge = createTargetKnowledge();
const selection = new Set(provided.settings.selection);
const selected = selectScenarios(scenarios, selection, provided.settings.profile);
if (!selected.some(({ name }) => name === "a created batch is listed")) knowledge.sawList();
for (const { name, phase, operations } of selected) {
  // The last ones ask with bad credentials: they need no success.
  run.recorder.tell({ type: "planned", scenario: name, operations: phase === "last" ? [] : operations });
}
run.recorder.flush();

const perform = async (scenario: Scenario<Context>): Promise<void> => {
  const context = createContext(run, knowledge, scenario);
  const started = performance.now();
  try {
    await scenario.ask(context);
  } catch (error) {
    if (error instanceof Inconclusive) {
      const concerned = error.requirements.length > 0 ? error.requirements : scenario.requirements;
      for (const requirement of concerned) run.recorder.inconclusive(requirement, error.message);
    } else if (!(error instanceof Violation)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      run.recorder.tell({ type: "fault of ours", scenario: scenario.name, text: run.redaction.redact(text) });
      throw error;
    }
  } finally {
    run.recorder.tell({ type: "done", requirements: scenario.requirements, took: performance.now() - started });
  }
};

const phases: Readonly<Record<Phase, { readonly concurrent: boolean }>> = {
  before: { concurrent: false },
  main: { concurrent: true },
  last: { concurrent: false },
};

for (const [phase, { concurrent }] of Object.entries(phases)) {
  const own = selected.filter((scenario) => (scenario.phase ?? "main") === phase);
  if (own.length === 0) continue;
  describe.sequential(phase, () => {
    for (const scenario of own)
      (concurrent ? test.concurrent : test.sequential)(scenario.name, () => perform(scenario));
  });
}
describe.sequential("repeat", () => {
  test("what was found is asked again", () => repeatFindings(run));
});

afterAll(async () => {
  run.recorder.flush();
  emit([{ type: "end", requests: run.sender.requests(), peakInFlight: run.rateLimiter.peak() }]);
  await run.client.close();
  channel.close();
});
