/** Counts requests that were in flight at the same time. */
interface InFlight {
  /** In milliseconds. */
  readonly add: (at: number, took: number) => void;
  /** The most at once. Exact if requests are added in the order in which they were sent. */
  readonly peak: () => number;
}

export const createInFlight = (): InFlight => {
  let ends: number[] = [];
  let first = Infinity;
  let peak = 0;
  return {
    add: (at, took) => {
      if (first <= at) {
        ends = ends.filter((end) => end > at);
        first = ends.reduce((least, end) => Math.min(least, end), Infinity);
      }
      ends.push(at + took);
      first = Math.min(first, at + took);
      peak = Math.max(peak, ends.length);
    },
    peak: () => peak,
  };
};
