import * as fc from "fast-check";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { Inconclusive, Violation } from "../../harness/scenario-errors.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Context } from "./context.ts";

/** Requests that shrinking a failure may cost. */
const shrinkingRequests = 40;

/** A statement about all values of an arbitrary, each of which makes one request. */
interface Property<T> {
  readonly requirements: readonly RequirementId[];
  readonly arbitrary: fc.Arbitrary<T>;
  readonly n: number;
  readonly send: (value: T) => Promise<Exchange>;
}

/**
 * Draws the samples, sends them concurrently, and shrinks the first that the standing checks find fault with, one
 * request at a time. Cut short, it is inconclusive.
 */
export const holdsForAll = async <T>(
  context: Context,
  { requirements, arbitrary, n, send }: Property<T>,
): Promise<void> => {
  const samples = fc.sample(arbitrary, { seed: context.seed, numRuns: n });
  const results = await Promise.all(samples.map((value) => attempt(context, () => send(value))));
  judgeSamples(context, requirements, results);
  const index = results.findIndex(({ isFaulty }) => isFaulty);
  if (index < 0) return;
  await shrink(context, arbitrary, send, { seed: context.seed, path: String(index) });
};

/** The same for values that are chosen rather than drawn; a failure shrinks through the arbitrary from the value itself. */
export const holdsForEach = async <T>(
  context: Context,
  {
    requirements,
    values,
    send,
    smaller,
  }: Omit<Property<T>, "arbitrary" | "n"> & {
    readonly values: readonly T[];
    /** An arbitrary to whose domain the value belongs and which shrinks it. */
    readonly smaller?: (value: T) => fc.Arbitrary<T>;
  },
): Promise<void> => {
  const results = await Promise.all(values.map((value) => attempt(context, () => send(value))));
  judgeSamples(context, requirements, results);
  const index = results.findIndex(({ isFaulty }) => isFaulty);
  const failed = values[index];
  if (failed === undefined || smaller === undefined) return;
  await shrink(context, smaller(failed), send, { seed: context.seed, examples: [[failed]] });
};

/** What came of a sample. The responses themselves can be megabytes each. */
interface Attempt {
  readonly succeeded: boolean;
  readonly isFaulty: boolean;
  readonly reason?: string;
}

const attempt = async (context: Context, send: () => Promise<Exchange>): Promise<Attempt> => {
  try {
    const exchange = await send();
    return { succeeded: isSuccess(exchange), isFaulty: context.violationsOf(exchange).length > 0 };
  } catch (error) {
    if (error instanceof Inconclusive) return { succeeded: false, isFaulty: false, reason: error.message };
    throw error;
  }
};

/** A sample without a response cuts the property short; a refused one is merely not judged. */
const judgeSamples = (context: Context, requirements: readonly RequirementId[], results: readonly Attempt[]): void => {
  const reasons = results.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  for (const requirement of requirements) {
    if (reasons[0] !== undefined) {
      context.inconclusive(
        requirement,
        `${reasons.length} of ${results.length} samples had no response: ${reasons[0]}`,
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
  send: (value: T) => Promise<Exchange>,
  from: fc.Parameters<[T]>,
): Promise<void> => {
  let left = shrinkingRequests;
  let latest: Exchange | undefined;
  let smallest: Exchange | undefined;
  const predicate = async (value: T): Promise<void> => {
    if (left-- <= 0 || context.run.signal.aborted) return;
    const { isFaulty } = await attempt(context, async () => (latest = await send(value)));
    if (!isFaulty) return;
    smallest = latest;
    throw new Violation("the standing checks found fault");
  };
  await fc.check(fc.asyncProperty(arbitrary, predicate), { ...from, numRuns: 1 });
  if (smallest !== undefined) context.showInstead(smallest);
};
