import { Inconclusive } from "../../harness/errors.ts";

/**
 * The value of a promise. Undefined if a precondition could not be reached, so that the scenario
 * can go on.
 */
export async function orNothing<T>(value: Promise<T>): Promise<T | undefined> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  }
}

/**
 * Waits until all have ended, unlike `Promise.all`, so that nothing goes on after a failure. Then
 * throws the first failure.
 */
export async function together<T extends readonly unknown[] | []>(
  tasks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  for (const result of await Promise.allSettled(tasks))
    if (result.status === "rejected") throw result.reason;
  return Promise.all(tasks);
}

/**
 * Runs a task for each item, at most `most` at once. An item is taken when there is room for it.
 * Ends at the first error.
 */
export async function windowed<T>(
  items: Iterable<T>,
  most: number,
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  // All lanes take from one iterator. If one leaves with an error, the iterator ends for all.
  const entries = numbered(items);
  const work = async (): Promise<void> => {
    for (const [item, index] of entries) await act(item, index);
  };
  await Promise.all(Array.from({ length: most }, work));
}

function* numbered<T>(items: Iterable<T>): Generator<readonly [T, number]> {
  let index = 0;
  for (const item of items) {
    yield [item, index];
    index += 1;
  }
}
