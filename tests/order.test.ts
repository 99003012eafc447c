import { expect, test, vi } from "vitest";
import { createRunContext } from "../engine/server/worker/run-context.ts";
import { performAll } from "../engine/server/worker/scenarios.ts";
import { compileResponseSchemas } from "../harness/judging/response-schemas.ts";
import { settings, target } from "../model/testing/target.ts";
import { referenceFor } from "../reference/testing/reference.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { bundledContract } from "../spec/bundle.ts";
import { scenarios } from "../suites/index.ts";
import type { Scenario } from "../suites/kit/scenario.ts";

vi.setConfig({ testTimeout: 300_000 });

const schemas = compileResponseSchemas(await bundledContract());

/** Carries out all scenarios in this order. Resolves to the requirements that a server breaks. */
async function brokenBy(variant: string, all: readonly Scenario[]): Promise<readonly string[]> {
  const customerId = "customer-1";
  const apiKey = "order-test-key-4d81";
  const server = await referenceFor({ apiKey, customerId, variants: [variant] });
  const run = createRunContext(
    {
      target: { ...target, baseUrl: server.baseUrl, apiKey, customerId },
      settings: { ...settings, profile: "full", selection: requirementIds },
      runId: "runid234",
      replayCommand: "",
      userAgent: "fxconform",
      traced: false,
    },
    schemas,
    () => undefined,
    new AbortController().signal,
  );
  try {
    expect(await run.isTestable()).toBe(true);
    await performAll(run, all);
    return [...run.recorder.failing()];
  } finally {
    await run.client.close();
  }
}

/** The scenarios in an order that the seed draws; none goes before others by what it says itself. */
function shuffled(seed: number): readonly Scenario[] {
  const rank = new Map(
    scenarios.map(({ id }, index) => [id, Math.imul(index + 1, 0x9e3779b1 * seed) >>> 0]),
  );
  return scenarios
    .map((one) => ({ ...one, isFirst: false }))
    .toSorted((one, other) => (rank.get(one.id) ?? 0) - (rank.get(other.id) ?? 0));
}

test.each([
  "firewall",
  "lock-out-429",
  "lock-out-401",
  "lock-out-403",
  "unavailable-once",
  "connection-drops-now-and-then",
])("no order of the scenarios blames a legal server: %s", async (variant) => {
  for (const seed of [1, 2, 3]) expect(await brokenBy(variant, shuffled(seed))).toEqual([]);
});
