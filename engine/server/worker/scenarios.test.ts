import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Inconclusive } from "../../../harness/errors.ts";
import type { CalibrationStep } from "../../../suites/calibration/steps.ts";
import type { RequestSpec } from "../../../model/request.ts";
import type { RunSettings } from "../../../model/target.ts";
import type { Scenario } from "../../../suites/kit/scenario.ts";
import { createOrder } from "../../../suites/run/order.ts";
import { runWith, type Script } from "../../../suites/testing/sent-by.ts";
import type { WorkerContext } from "./run-context.ts";
import { performAll } from "./scenarios.ts";

/** Lets others go on so many times. */
async function turns(n: number): Promise<void> {
  for (let turn = 0; turn < n; turn += 1) await nextTurn();
}

/** A run that notes every message. The word `secret` is a secret of this run. */
function runThatSays(settings: Partial<RunSettings>, script?: Script, sent = 0) {
  const { run } = runWith(script);
  const send: typeof run.sender.send = async (spec, origin) => {
    await turns(3);
    return run.sender.send(spec, origin);
  };
  const said: string[] = [];
  const steps: CalibrationStep[] = [];
  const order = createOrder({ isPatient: false, signal: run.signal });
  const told = {
    ...run,
    sender: { ...run.sender, send },
    settings: { ...run.settings, ...settings },
    recorder: {
      ...run.recorder,
      note: (kind: string, text: string) => void said.push(`${kind}: ${text}`),
      inconclusive: (id: string, reason: string) => void said.push(`${id} is open: ${reason}`),
      repeatable: () => [],
      progress: {
        now: () => ({ sent: [{ count: sent }] }),
        plan: (count: number, operations: readonly string[]) =>
          void said.push(`plans ${count} for ${operations.join(" ")}`),
        ends: (checks: readonly string[]) => void said.push(`ends ${checks.join(" ")}`),
        step: (step: CalibrationStep) => void steps.push(step),
      },
    },
    redaction: { redact: (text: string) => text.replaceAll("secret", "…") },
    order,
    scheduler: { rate: () => Infinity },
    elapsed: () => 100_000,
    untilOld: order.untilOld,
    flush: () => undefined,
  };
  return { run: told as unknown as WorkerContext, said, steps };
}

/** A scenario that full runs have, which notes when it runs. */
function scenarioOf(id: string, more: Partial<Scenario> = {}): Scenario {
  return {
    id,
    title: id,
    checks: ["OPER-01"],
    operations: ["createCounterparty", "createOperation"],
    run: async () => undefined,
    ...more,
  };
}

/** Performs the scenarios, and resolves to what the run has said. */
async function performed(
  scenarios: readonly Scenario[],
  settings: Partial<RunSettings> = {},
  script?: Script,
) {
  const { run, said, steps } = runThatSays({ selection: ["OPER-01"], ...settings }, script);
  await performAll(run, scenarios);
  return { said, steps };
}

/** A scenario that logs its start and its end, a few turns later. */
function logging(log: string[], id: string, more: Partial<Scenario> = {}): Scenario {
  const run = async (): Promise<void> => {
    log.push(`${id} starts`);
    await turns(5);
    log.push(`${id} ends`);
  };
  return scenarioOf(id, { run, ...more });
}

test("scenarios start although steps of the calibration that they need cannot be taken", async () => {
  const log: string[] = [];
  const script: Script = ({ operation }) => (operation === "createCounterparty" ? 403 : undefined);
  await performed([logging(log, "operation")], {}, script);
  expect(log).toEqual(["operation starts", "operation ends"]);
});

test.each([
  ["a precondition is missing", new Inconclusive("no batch"), "OPER-01 is open: no batch"],
  [
    "it has a mistake",
    new TypeError("a secret is no function"),
    expect.stringMatching(/^error: ends early: TypeError: a … is no function/),
  ],
])(
  "when a scenario ends because %s, the report says so and the next one starts",
  async (_, error, told) => {
    const early = scenarioOf("ends early", { run: () => Promise.reject(error) });
    let isStarted = false;
    const next = scenarioOf("next", {
      after: [early],
      run: async () => {
        isStarted = true;
      },
    });
    const { said } = await performed([early, next]);
    expect(isStarted).toBe(true);
    expect(said.filter((text) => /open|error/.test(text))).toEqual([told]);
    expect(said.filter((text) => text === "ends OPER-01")).toHaveLength(2);
  },
);

test("what bad credentials create has a share of its own", async () => {
  const shares: unknown[] = [];
  const share = (phase: "main" | "last") =>
    scenarioOf(phase, {
      phase,
      run: async ({ run, send }) => {
        const { sender } = run;
        Object.assign(sender, {
          send: async (_: RequestSpec, origin: { readonly share: unknown }) => {
            shares.push(origin.share);
            throw new Inconclusive("sent");
          },
        });
        await send({ operation: "listBatches", intent: { kind: "valid" } });
      },
    });
  await performed([share("main"), share("last")]);
  expect(shares).toEqual(["ordinary", "credentials"]);
});

test("behind a limit that leaves too little time, what shows again what others show is left out", async () => {
  const log: string[] = [];
  const scenarios = [
    logging(log, "main"),
    logging(log, "beside", { phase: "beside" }),
    logging(log, "last", { phase: "last" }),
  ];
  const { run, said } = runThatSays({ selection: ["OPER-01"] });
  const performedAt = async (rate: number): Promise<boolean> => {
    let isSparing = false;
    const sender = { ...run.sender, spareBadCredentials: () => void (isSparing = true) };
    await performAll(
      { ...run, sender, scheduler: { ...run.scheduler, rate: () => rate } },
      scenarios,
    );
    return isSparing;
  };
  expect(await performedAt(4)).toBe(false);
  expect(log.filter((line) => line.endsWith("starts"))).toEqual(["main starts", "last starts"]);
  expect(said).toContainEqual(expect.stringMatching(/^warning: .*no time for 1 scenario, which/));
  expect(said.filter((text) => text === "ends OPER-01")).toHaveLength(3);
  expect(await performedAt(2)).toBe(true);
  expect(log).not.toContain("beside starts");
  expect(await performedAt(Infinity)).toBe(false);
  expect(log).toContain("beside starts");
});

test("findings are repeated after all scenarios, unless the run was stopped", async () => {
  const log: string[] = [];
  const stop = new AbortController();
  const repeating = async (act: () => void): Promise<readonly string[]> => {
    log.length = 0;
    const { run } = runThatSays({ selection: ["OPER-01"] });
    const recorder = { ...run.recorder, repeatable: () => (log.push("repeats"), []) };
    const acting = scenarioOf("acting", { run: async () => act() });
    await performAll({ ...run, recorder, signal: stop.signal }, [logging(log, "usual"), acting]);
    return log;
  };
  expect(await repeating(() => undefined)).toEqual(["usual starts", "usual ends", "repeats"]);
  expect(await repeating(() => stop.abort())).toEqual(["usual starts", "usual ends"]);
});
