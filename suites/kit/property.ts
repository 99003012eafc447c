import * as fc from "fast-check";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { Inconclusive, Violation } from "../../harness/scenario-errors.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { samplesOf } from "../../generators/index.ts";
import type { Context } from "./context.ts";
import { windowed, windowOf } from "./windowed.ts";

/** The most requests that shrinking a failure may send. */
const shrinkingRequests = 40;

/** A statement about all values of an arbitrary, each of which makes one request. */
interface Property<T> {
  readonly requirements: readonly RequirementId[];
  readonly arbitrary: fc.Arbitrary<T>;
  readonly n: number;
  readonly send: (value: T) => Promise<Exchange>;
}

/**
 * Draws the samples as they are sent, several at once, and shrinks the first one with a violation of a standing check,
 * one request at a time. A property that is cut short is inconclusive.
 */
export const holdsForAll = async <T>(
  context: Context,
  { requirements, arbitrary, n, send }: Property<T>,
): Promise<void> => {
  const samples = samplesOf(arbitrary, { seed: context.seed, n });
  const faulty = await sendEach(context, requirements, samples, ({ value }) => send(value));
  if (faulty !== undefined) await shrink(context, arbitrary, send, faulty.from);
};

/** The same for chosen values instead of drawn ones. The arbitrary shrinks a failing value. */
export const holdsForEach = async <T>(
  context: Context,
  {
    requirements,
    values,
    send,
    smaller,
  }: Omit<Property<T>, "arbitrary" | "n"> & {
    readonly values: Iterable<T>;
    /** An arbitrary to whose domain the value belongs and which shrinks it. */
    readonly smaller?: (value: T) => fc.Arbitrary<T>;
  },
): Promise<void> => {
  const faulty = await sendEach(context, requirements, values, send);
  if (faulty === undefined || smaller === undefined) return;
  await shrink(context, smaller(faulty), send, { seed: context.seed, examples: [[faulty]] });
};

/**
 * Sends all samples and returns the first one with a violation of a standing check. A sample without a response cuts
 * the property short; a refused one is only not judged. Outcomes are counted, not kept.
 */
const sendEach = async <S>(
  context: Context,
  requirements: readonly RequirementId[],
  samples: Iterable<S>,
  send: (sample: S) => Promise<Exchange>,
): Promise<S | undefined> => {
  let reason: string | undefined;
  let [sent, unanswered, succeeded] = [0, 0, false];
  let faulty: { readonly index: number; readonly sample: S } | undefined;
  await windowed(samples, windowOf(context.settings), async (sample, index) => {
    const result = await attempt(context, () => send(sample));
    sent += 1;
    succeeded ||= result.succeeded;
    if (result.reason !== undefined) {
      unanswered += 1;
      reason ??= result.reason;
    }
    if (result.isFaulty && (faulty === undefined || index < faulty.index)) faulty = { index, sample };
  });
  for (const requirement of requirements) {
    if (reason !== undefined) {
      context.inconclusive(requirement, `${unanswered} of ${sent} samples had no response: ${reason}`, true);
    } else if (!succeeded) {
      context.inconclusive(requirement, "the target refused every sample");
    }
  }
  return faulty?.sample;
};

/** The outcome of a sample, without the response, which can have megabytes. */
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
