import * as fc from "fast-check";
import { hintOn, Inconclusive, orNothing } from "../../harness/errors.ts";
import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { windowed } from "../run/concurrency.ts";
import type { ScenarioCore } from "../run/context.ts";

/**
 * The item at an index. After the last item, the first one comes again. Throws an error if there
 * are no items.
 */
export function inTurn<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("nothing to take in turn");
  return item;
}

const shrinkingRequests = 40;

export interface Sample<T> {
  readonly value: T;
  /** Shrinks the value. Absent if the value is not shrunk. */
  readonly arbitrary?: fc.Arbitrary<T>;
  readonly from: fc.Parameters<[T]>;
}

export interface Property<T> {
  /**
   * The requirements that get no verdict if a sample has no response, or if all samples are
   * refused.
   */
  readonly requirements: readonly RequirementId[];
  readonly samples: Iterable<Sample<T>>;
  readonly send: (value: T) => Promise<Exchange>;
}

/**
 * Sends samples, several at once, and shrinks the first that breaks a rule. Ends at the first
 * request without a response.
 */
export async function holdsForAll<T>(context: ScenarioCore, property: Property<T>): Promise<void> {
  const { requirements, samples, send } = property;
  let reason: Inconclusive | undefined;
  let sent = 0;
  let unanswered = 0;
  let succeeded = false;
  let refusal: Exchange | undefined;
  let faulty: { readonly index: number; readonly sample: Sample<T> } | undefined;
  // Enough samples at once to reach the concurrency, although some of them wait before they send.
  await windowed(samples, Math.max(64, 2 * context.settings.concurrency), async (sample, index) => {
    sent += 1;
    // Outcomes are counted and not kept, because a response can have megabytes.
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
        `${unanswered} of ${sent} drawn requests could not be judged: ${reason.message}`,
        {
          cutShort: true,
          blockedAt: reason.blockedAt,
        },
      );
    else if (!succeeded && refusal === undefined)
      context.inconclusive(requirement, "none of the drawn valid requests was accepted");
    else if (!succeeded && refusal !== undefined)
      context.inconclusive(requirement, refusedText(refusal), { gap: "refusal" });
  const { sample } = faulty ?? {};
  if (sample !== undefined) await context.proving(() => shrink(context, property, sample));
}

function refusedText(refusal: Exchange): string {
  return `${operationTitle(refusal.operation)} refused every drawn valid request, the last one with ${messageOf(refusal)}. ${hintOn[refusal.operation]}`;
}

async function shrink<T>(
  context: ScenarioCore,
  { send }: Property<T>,
  { arbitrary, from }: Sample<T>,
): Promise<void> {
  let left = shrinkingRequests;
  let smallest: Exchange | undefined;
  const passes = async (value: T): Promise<boolean> => {
    if (left <= 0 || context.run.signal.aborted) return true;
    left -= 1;
    const exchange = await orNothing(send(value));
    if (exchange === undefined || context.violationsOf(exchange).length === 0) return true;
    smallest = exchange;
    return false;
  };
  if (arbitrary !== undefined)
    await fc.check(fc.asyncProperty(arbitrary, passes), { ...from, numRuns: 1 });
  if (smallest !== undefined) context.showInstead(smallest);
}
