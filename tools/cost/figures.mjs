// The arithmetic behind the figures of measurements.

/** Milliseconds of CPU time for each exchange. The difference of two runs leaves start-up out. */
export function perExchange(little, much) {
  return (much.cpu - little.cpu) / (much.requests - little.requests);
}

/**
 * How long a run took from its first request to its last response, as a multiple of the least time:
 * that of a run with as many requests in flight as allowed, all the time. `spans` and `latency` are
 * in milliseconds.
 */
export function timesTheLeast(spans, { requests, concurrency, latency }) {
  const took = Math.max(...spans.map(({ to }) => to)) - Math.min(...spans.map(({ from }) => from));
  return took / ((requests * latency) / concurrency);
}

/** How many requests are in flight between two times, on average. */
export function meanIn(sent, from, to) {
  const spent = sent.map((one) => Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)));
  return spent.reduce((sum, one) => sum + one, 0) / (to - from);
}
