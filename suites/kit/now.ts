/** Milliseconds since 1970, more precise than `Date`, and the same in all threads of the process. */
export const now = (): number => performance.timeOrigin + performance.now();
