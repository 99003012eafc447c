import * as fc from "fast-check";
import { drawnFrom, samplesOf, type Drawn, type Pool } from "../../generators/index.ts";
import { hintOn, Inconclusive, Violated } from "../../harness/errors.ts";
import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { amountsAndPairs, withSmallerAmounts, type AmountAndPair } from "../resources/amounts.ts";
import { orNothing, windowed } from "../run/concurrency.ts";
import type { Core } from "../run/context.ts";

/** Rows of what is sent, with a weight: those that most likely show a fault are sent always. */
export interface Table<Row> {
  /** Unique in a run. Name and seed decide which other rows a run sends. */
  readonly name: string;
  readonly always: readonly Row[];
  /** Rows of which a run sends some: more with `--runs`, all from 1,000 on. */
  readonly sometimes?: readonly Row[];
  /** How many of these a run sends by default. @defaultValue 1 */
  readonly drawn?: number;
}

/**
 * This run's share of a table: all rows under `always`, then some rows under `sometimes`, marked as
 * rare.
 */
export function rowsOf<Row extends object>(context: Core, table: Table<Row>): readonly Row[] {
  return draw(context, poolOf(table)).map(({ item, isAlways }) =>
    isAlways ? item : { ...item, isRare: true },
  );
}

function poolOf<Row>({ name, always, sometimes = [], drawn = 1 }: Table<Row>): Pool<Row> {
  return {
    name,
    items: [...always, ...sometimes],
    always: always.length,
    drawn,
  };
}

/**
 * The item at an index; after the last one, the first one comes again. Throws an error if there is
 * none.
 */
export function inTurn<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("nothing to take in turn");
  return item;
}

/** What this run sends of a pool; the report says how much of it that was. */
export function draw<T>(context: Core, pool: Pool<T>): readonly Drawn<T>[] {
  const drawn = drawnFrom(pool, context.settings);
  context.run.recorder.progress.draws({
    name: pool.name,
    used: drawn.length,
    of: pool.items.length,
  });
  return drawn;
}

const shrinkingRequests = 40;

export interface Sample<T> {
  readonly value: T;
  /** Absent if the value is not shrunk. */
  readonly arbitrary: fc.Arbitrary<T> | undefined;
  readonly from: fc.Parameters<[T]>;
}

/** `n` values of an arbitrary, drawn as they are sent. */
export function* drawn<T>(
  { seed }: Core,
  arbitrary: fc.Arbitrary<T>,
  n: number,
): Generator<Sample<T>> {
  for (const sample of samplesOf(arbitrary, { seed, n })) yield { ...sample, arbitrary };
}

/** Samples made of distinct amounts over the whole range, which shrink to smaller ones. */
export function* overAmounts<T extends { readonly amount: number }>(
  context: Core,
  n: number,
  made: (one: AmountAndPair) => T,
): Generator<Sample<T>> {
  const { seed, target } = context;
  for (const one of amountsAndPairs(context, n)) {
    const value = made(one);
    const arbitrary = withSmallerAmounts(target.amount, value);
    yield { value, arbitrary, from: { seed, examples: [[value]] } };
  }
}

export interface Property<T> {
  /** Without a verdict if a sample has no response, or all are refused. */
  readonly requirements: readonly RequirementId[];
  readonly samples: Iterable<Sample<T>>;
  readonly send: (value: T) => Promise<Exchange>;
}

/**
 * Sends samples, several at once, and shrinks the first that breaks a rule. One without a response
 * cuts it short.
 */
export async function holdsForAll<T>(context: Core, property: Property<T>): Promise<void> {
  const { requirements, samples, send } = property;
  let reason: Inconclusive | undefined;
  let sent = 0;
  let unanswered = 0;
  let succeeded = false;
  let refusal: Exchange | undefined;
  let faulty: { readonly index: number; readonly sample: Sample<T> } | undefined;
  // Enough at once to reach the concurrency, though some wait for others.
  await windowed(samples, Math.max(64, 2 * context.settings.concurrency), async (sample, index) => {
    sent += 1;
    // Outcomes are counted, not kept: a response can have megabytes.
    const exchange = await send(sample.value).catch((error: unknown) => {
      if (!(error instanceof Inconclusive)) throw error;
      reason ??= error;
    });
    if (exchange === undefined) {
      unanswered += 1;
      return;
    }
    succeeded ||= isSuccess(exchange);
    if (isRefusal(exchange)) refusal = exchange;
    if (context.violationsOf(exchange).length > 0 && index < (faulty?.index ?? Infinity))
      faulty = { index, sample };
  });
  for (const requirement of requirements)
    if (reason !== undefined)
      context.inconclusive(
        requirement,
        `${unanswered} of ${sent} samples had no response: ${reason.message}`,
        {
          cutShort: true,
          blockedAt: reason.blockedAt,
        },
      );
    else if (!succeeded && refusal === undefined)
      context.inconclusive(requirement, "no valid sample was accepted");
    else if (!succeeded && refusal !== undefined)
      context.inconclusive(requirement, refusedText(refusal), { gap: "refusal" });
  const { sample } = faulty ?? {};
  if (sample !== undefined) await context.proving(() => shrink(context, property, sample));
}

function refusedText(refusal: Exchange): string {
  return `${operationTitle(refusal.operation)} refused every valid sample, the last one with ${messageOf(refusal)}. ${hintOn[refusal.operation]}`;
}

async function shrink<T>(
  context: Core,
  { send }: Property<T>,
  { arbitrary, from }: Sample<T>,
): Promise<void> {
  let left = shrinkingRequests;
  let smallest: Exchange | undefined;
  const predicate = async (value: T): Promise<void> => {
    if (left <= 0 || context.run.signal.aborted) return;
    left -= 1;
    const exchange = await orNothing(send(value));
    if (exchange === undefined || context.violationsOf(exchange).length === 0) return;
    smallest = exchange;
    throw new Violated("a rule is broken");
  };
  if (arbitrary !== undefined)
    await fc.check(fc.asyncProperty(arbitrary, predicate), { ...from, numRuns: 1 });
  if (smallest !== undefined) context.showInstead(smallest);
}
