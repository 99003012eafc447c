/**
 * Waits until all tasks have ended, even if one fails, unlike `Promise.all`: so no task goes on
 * unseen. Resolves to their values, or throws the first failure.
 */
export async function together<T extends readonly unknown[] | []>(
  tasks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

/**
 * Runs a task for each item, at most `most` at once. An item is taken when there is room for it.
 * Throws the first error, after which no further item is taken.
 */
export async function windowed<T>(
  items: Iterable<T>,
  most: number,
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  // All lanes take from one iterator. A lane that leaves its loop with an error ends the iterator
  // for all lanes.
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
