/** Waits until all have ended, unlike `Promise.all`, so that nothing goes on after a failure; then throws the first one. */
export const together = async <T extends readonly unknown[] | []>(
  tasks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  for (const result of await Promise.allSettled(tasks)) if (result.status === "rejected") throw result.reason;
  return Promise.all(tasks);
};
