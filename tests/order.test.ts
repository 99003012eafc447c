import { createHash } from "node:crypto";
import { test, vi, type TestContext } from "vitest";
import { createRunContext } from "../engine/server/worker/run-context.ts";
import { performAll } from "../engine/server/worker/scenarios.ts";
import { compileResponseSchemas } from "../harness/judging/response-schemas.ts";
import { settings, target } from "../model/testing/target.ts";
import { delayed } from "../reference/change.ts";
import { startReference } from "../reference/server.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { bundledContract } from "../spec/bundle.ts";
import { scenarios } from "../suites/index.ts";
import type { Scenario } from "../suites/kit/scenario.ts";

vi.setConfig({ testTimeout: 900_000 });

/** Legal servers whose responses depend on what else is sent, and when. */
const variants = [
  "crowd-of-four",
  "token-fifty-requests",
  "token-five-seconds",
  "lagging-node-404",
  "counterparty-lags",
  "connection-drops-now-and-then",
  "unavailable-in-bursts",
  "lock-out-423-of-keys",
  "lock-out-429",
  "lock-out-403",
  "lock-out-401",
  "firewall",
];

interface Row {
  readonly variant: string;
  /** The seed of the order and of the values. */
  readonly order: number;
  /** How long each response takes, in milliseconds. */
  readonly ms: number;
}

const orders = 20;

/** Every variant in each order, with responses that take none or some time, and long in some orders. */
const all: readonly Row[] = variants.flatMap((variant, nth) =>
  Array.from({ length: orders }, (_, index) => ({
    variant,
    order: index + 1,
    ms: index === nth * 2 ? 400 : (index % 2) * 50,
  })),
);

/** An order of each variant, or all with FXCONFORM_ORDERS=all, which takes half an hour. */
const chosen = all.filter(
  ({ order }, nth) =>
    order === (Math.floor(nth / orders) % 2) + 1 || process.env["FXCONFORM_ORDERS"] === "all",
);

const schemas = compileResponseSchemas(await bundledContract());

/** Carries out all scenarios in an order. Resolves to the requirements that the server breaks. */
async function brokenBy(
  { variant, order, ms }: Row,
  { expect, onTestFinished }: TestContext,
): Promise<readonly string[]> {
  const customerId = "customer-1";
  const apiKey = "order-test-key-4d81";
  const changes = ms === 0 ? [] : [delayed(() => ms)];
  const server = await startReference({ apiKey, customerId, variants: [variant], changes });
  onTestFinished(() => server.close());
  const { signal } = new AbortController();
  const own = { baseUrl: server.baseUrl, apiKey, customerId, otherPurposes: ["IMPORT"] };
  const run = createRunContext(
    {
      target: { ...target, ...own, currencyPairs: ["USDBRL", "EURBRL"] },
      settings: {
        ...settings,
        selection: requirementIds,
        seed: order,
        timeout: 10_000,
        grace: 5000,
      },
      runId: "runid234",
      replayCommand: "",
      userAgent: "fxconform",
    },
    schemas,
    () => undefined,
    signal,
  );
  onTestFinished(() => run.client.close());
  expect(await run.isTestable()).toBe(true);
  await performAll(run, shuffled(order));
  expect(run.recorder.evidence().errors).toEqual([]);
  return [...run.recorder.failing()];
}

/** The scenarios in an order that the seed draws; none goes before others by what it says itself. */
function shuffled(seed: number): readonly Scenario[] {
  const rank = ({ id }: Scenario): string =>
    createHash("sha256").update(`${seed} ${id}`).digest("hex");
  return scenarios
    .map((one) => ({ ...one, isFirst: false }))
    .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

// A run waits most of its time, so several go side by side.
test.concurrent.for(chosen)(
  "no order of the scenarios blames a legal server: $variant, order $order, responses of $ms ms",
  async (row, context) => context.expect(await brokenBy(row, context)).toEqual([]),
);
