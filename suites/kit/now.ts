/** Milliseconds since 1970, finer than a date: threads of one process agree on it. */
export const now = (): number => performance.timeOrigin + performance.now();
