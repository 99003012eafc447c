import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Inconclusive } from "../../harness/errors.ts";
import type { Exchange } from "../../model/exchange.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { settings } from "../../model/testing/target.ts";
import type { ScenarioCore } from "../run/context.ts";
import { samplesOf } from "../../generators/index.ts";
import { holdsForAll } from "./samples.ts";

const numbers = fc.integer({ min: 0, max: 10_000 });

/**
 * What is said of OPER-06 if numbers are sent to a target that answers in this way. `shown`: the
 * number in the finding.
 */
async function judgedOf(
  respond: (value: number) => Exchange,
  isWrong: (value: number) => boolean = () => false,
) {
  const sent: number[] = [];
  const values = new Map<Exchange, number>();
  const judged: string[] = [];
  let shown: number | undefined;
  const context: Partial<{ [K in keyof ScenarioCore]: unknown }> = {
    settings,
    seed: 7,
    run: { signal: new AbortController().signal },
    proving: (task: () => Promise<unknown>) => task(),
    inconclusive: (id: string, reason: string) => void judged.push(`${id} inconclusive: ${reason}`),
    showInstead: (exchange: Exchange) => void (shown = values.get(exchange)),
    violationsOf: (exchange: Exchange) =>
      isWrong(values.get(exchange) ?? 0) ? [{ requirement: "OPER-06" }] : [],
  };
  const whole = context as unknown as ScenarioCore;
  await holdsForAll(whole, {
    requirements: ["OPER-06"],
    samples: [...samplesOf(numbers, { seed: 7, n: 30 })].map((sample) => ({
      ...sample,
      arbitrary: numbers,
    })),
    send: async (value) => {
      sent.push(value);
      const exchange = respond(value);
      values.set(exchange, value);
      return exchange;
    },
  });
  return { sent: sent.length, judged, shown };
}

const success = () => exchangeOf("createOperation");

test("each sample is sent once, and a success says nothing by itself", async () => {
  expect(await judgedOf(success)).toEqual({ sent: 30, judged: [], shown: undefined });
});

test("what breaks a rule is shrunk, with a bounded number of requests", async () => {
  const { sent, shown } = await judgedOf(success, (value) => value > 100);
  expect(shown).toBe(101);
  expect(sent).toBeGreaterThan(30);
  expect(sent).toBeLessThanOrEqual(30 + 40);
  expect(await judgedOf(success, (value) => value === 3541)).toMatchObject({ shown: 3541 });
});

test("a sample without a response cuts the property short, and one that is always refused has no verdict", async () => {
  let first = true;
  const gone = await judgedOf(() => {
    if (!first) return success();
    first = false;
    throw new Inconclusive("it is gone");
  });
  expect(gone.judged).toEqual([
    "OPER-06 inconclusive: 1 of 30 drawn requests could not be judged: it is gone",
  ]);
  const refused = await judgedOf(() =>
    exchangeOf("createOperation", { status: 422, json: { message: "no" } }),
  );
  expect(refused.judged).toEqual([
    'OPER-06 inconclusive: POST /corporate/operation refused every drawn valid request, the last one with 422 "no". Check --currency-pairs, --amount and whether the purpose EFX is open to this client.',
  ]);
});
