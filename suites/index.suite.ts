import { setMaxListeners } from "node:events";
import { afterAll, describe, inject, test } from "vitest";
import type { Evidence } from "../harness/evidence.ts";
import type { Provided } from "../harness/provided.ts";
import { selectScenarios, type Phase } from "../harness/scenario.ts";
import { Inconclusive, Violation } from "../harness/verdicts.ts";
import { createCommon } from "./common.ts";
import { scenarios } from "./index.ts";
import { repeatFindings } from "./repeat.ts";
import { createStage, type Stage } from "./stage.ts";
import { createWorld } from "./world.ts";
import type { Scenario } from "../harness/scenario.ts";

/**
 * The one entry module of the engine: one worker, one world, three phases. vitest runs each scenario as a test; what
 * it finds leaves by the channel, and vitest's own verdict only tells whether our code held.
 */
const provided = inject("fxconform" as never) as Provided;
const channel = new BroadcastChannel(provided.channel);
const stop = new AbortController();
const emit = (evidence: readonly Evidence[]): void => channel.postMessage(evidence);
channel.onmessage = ({ data }: { data: unknown }) => {
  if (data === "stop") stop.abort();
};
setMaxListeners(0, stop.signal);

const world = createWorld(provided, emit, stop.signal);
const common = createCommon();
const selection = new Set(provided.manner.selection);
const selected = selectScenarios(scenarios, selection, provided.manner.profile);
if (!selected.some(({ name }) => name === "a created batch is listed")) common.sawList();
for (const { name, phase, operations } of selected) {
  // The last ones ask with bad credentials: they need no success.
  world.ledger.tell({ type: "planned", scenario: name, operations: phase === "last" ? [] : operations });
}
world.ledger.flush();

const perform = async (scenario: Scenario<Stage>): Promise<void> => {
  const stage = createStage(world, common, scenario);
  const started = performance.now();
  try {
    await scenario.ask(stage);
  } catch (error) {
    if (error instanceof Inconclusive) {
      const concerned = error.requirements.length > 0 ? error.requirements : scenario.requirements;
      for (const requirement of concerned) world.ledger.inconclusive(requirement, error.message);
    } else if (!(error instanceof Violation)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      world.ledger.tell({ type: "fault of ours", scenario: scenario.name, text: world.redaction.redact(text) });
      throw error;
    }
  } finally {
    world.ledger.tell({ type: "done", requirements: scenario.requirements, took: performance.now() - started });
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
  test("what was found is asked again", () => repeatFindings(world));
});

afterAll(async () => {
  world.ledger.flush();
  emit([{ type: "end", requests: world.conversation.delivery.requests(), peakInFlight: world.pace.peak() }]);
  await world.client.close();
  channel.close();
});
