import * as fc from "fast-check";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { Inconclusive, Violation } from "../../harness/scenario-errors.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Context } from "./context.ts";

/** Requests that shrinking a failure may cost. */
const shrinkingRequests = 40;

/** A statement about all values of an arbitrary, each of which makes one request. */
export interface Property<T> {
  readonly requirements: readonly RequirementId[];
  readonly arbitrary: fc.Arbitrary<T>;
  readonly n: number;
  readonly ask: (value: T) => Promise<Exchange>;
}

/**
 * Draws the samples, asks them concurrently, and shrinks the first that the standing checks find fault with, one
 * request at a time. Cut short, it is inconclusive.
 */
export const holdsForAll = async <T>(
  context: Context,
  { requirements, arbitrary, n, ask }: Property<T>,
): Promise<void> => {
  const samples = fc.sample(arbitrary, { seed: context.seed, numRuns: n });
  const results = await Promise.all(samples.map((value) => attempt(context, () => ask(value))));
  settleProperty(context, requirements, results);
  const index = results.findIndex(({ isFaulty }) => isFaulty);
  if (index < 0) return;
  await shrink(context, arbitrary, ask, { seed: context.seed, path: String(index) });
};

/** The same for values that are chosen rather than drawn; a failure shrinks through the arbitrary from the value itself. */
export const holdsForEach = async <T>(
  context: Context,
  {
    requirements,
    values,
    ask,
    smaller,
  }: Omit<Property<T>, "arbitrary" | "n"> & {
    readonly values: readonly T[];
    /** An arbitrary to whose domain the value belongs and which shrinks it. */
    readonly smaller?: (value: T) => fc.Arbitrary<T>;
  },
): Promise<void> => {
  const results = await Promise.all(values.map((value) => attempt(context, () => ask(value))));
  settleProperty(context, requirements, results);
  const index = results.findIndex(({ isFaulty }) => isFaulty);
  const failed = values[index];
  if (failed === undefined || smaller === undefined) return;
  await shrink(context, smaller(failed), ask, { seed: context.seed, examples: [[failed]] });
};

/** What a sample came to. The answers themselves can be megabytes each. */
interface Attempt {
  readonly succeeded: boolean;
  readonly isFaulty: boolean;
  readonly reason?: string;
}

const attempt = async (context: Context, ask: () => Promise<Exchange>): Promise<Attempt> => {
  try {
    const exchange = await ask();
    return { succeeded: isSuccess(exchange), isFaulty: context.violationsOf(exchange).length > 0 };
  } catch (error) {
    if (error instanceof Inconclusive) return { succeeded: false, isFaulty: false, reason: error.message };
    throw error;
  }
};

/** A sample without a response cuts the property short; one that was refused is only not judged. */
const settleProperty = (
  context: Context,
  requirements: readonly RequirementId[],
  results: readonly Attempt[],
): void => {
  const silent = results.find(({ reason }) => reason !== undefined);
  const unanswered = results.filter(({ reason }) => reason !== undefined).length;
  for (const requirement of requirements) {
    if (silent?.reason !== undefined) {
      context.inconclusive(
        requirement,
        `${unanswered} of ${results.length} samples had no response: ${silent.reason}`,
        true,
      );
    } else if (!results.some(({ succeeded }) => succeeded)) {
      context.inconclusive(requirement, "the target refused every sample");
    }
  }
};

const shrink = async <T>(
  context: Context,
  arbitrary: fc.Arbitrary<T>,
  ask: (value: T) => Promise<Exchange>,
  from: fc.Parameters<[T]>,
): Promise<void> => {
  let left = shrinkingRequests;
  let asked: Exchange | undefined;
  let smallest: Exchange | undefined;
  const predicate = async (value: T): Promise<void> => {
    if (left-- <= 0 || context.run.signal.aborted) return;
    const { isFaulty } = await attempt(context, async () => (asked = await ask(value)));
    if (!isFaulty) return;
    smallest = asked;
    throw new Violation("the standing checks found fault");
  };
  await fc.check(fc.asyncProperty(arbitrary, predicate), { ...from, numRuns: 1 });
  if (smallest !== undefined) context.shrunk(smallest);
};
