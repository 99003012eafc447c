/**
 * Runs a task for each item, at most `most` at once. Takes an item when there is room for it, so items that have not
 * begun need no memory. Ends at the first error, and throws it.
 */
export const windowed = async <T>(
  items: Iterable<T>,
  most: number,
  act: (item: T, index: number) => Promise<void>,
): Promise<void> => {
  const iterator = items[Symbol.iterator]();
  let taken = 0;
  let failed = false;
  const work = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true && !failed; next = iterator.next()) {
      try {
        await act(next.value, taken++);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: most }, work));
};

/** How many samples of a property are sent at once: enough to reach the concurrency, though some wait for others. */
export const windowOf = ({ concurrency }: { readonly concurrency: number }): number => Math.max(64, 2 * concurrency);
