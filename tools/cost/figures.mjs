// The arithmetic behind the figures of measurements.

/**
 * Returns the CPU time of an exchange in milliseconds. Takes it from the difference of two runs,
 * which leaves start-up out.
 */
export function perExchange(little, much) {
  return (much.cpu - little.cpu) / (much.requests - little.requests);
}

/**
 * Returns how long a run took from its first request to its last response, as a multiple of the
 * least time, in which as many requests as allowed are in flight all the time. `spans` and
 * `latency` are in milliseconds.
 */
export function timesTheLeast(spans, { requests, concurrency, latency }) {
  const took = Math.max(...spans.map(({ to }) => to)) - Math.min(...spans.map(({ from }) => from));
  return took / ((requests * latency) / concurrency);
}
