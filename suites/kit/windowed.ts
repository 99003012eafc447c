/**
 * Does something with each item, with at most `most` of them at once. An item is taken when there is room for it, so
 * that what has not begun needs no memory. Ends at the first that throws, and throws that.
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

/** Samples of a property that are sent at once: enough to fill what may be in flight, with requests that depend on others. */
export const windowOf = ({ concurrency }: { readonly concurrency: number }): number => Math.max(64, 2 * concurrency);
