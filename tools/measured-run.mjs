// Counts what a run sends, by the scenario that sends it.
import { operationNames } from "../dist/spec/operations.js";

/**
 * Runs the suite, and counts its requests in all and by scenario. `run` takes the changes to the
 * reference server, the settings and the listeners.
 */
export async function measured(run, scenarios, settings, changes) {
  const spans = [];
  const { requests, outcome, summary } = await run(changes, settings, {
    onSpan: (span) => void spans.push(span),
  });
  if (!["conformant", "partial"].includes(outcome)) throw new Error(summary);
  const own = scenarios.map((one) => [one, spans.filter(({ scenario }) => scenario === one.id)]);
  const counts = (count) =>
    Object.fromEntries(
      own.map(([one, sent]) => [one.id, count(sent, one)]).filter(([, n]) => n > 0),
    );
  return {
    requests,
    scenarios: counts(({ length }) => length),
    chains: counts(chainOf),
    operations: Object.fromEntries(own.map(([one, sent]) => [one.id, neededIn(sent)])),
    session: requests - spans.length,
  };
}

/**
 * Returns the operations that accepted a request that breaks no rule, and those that the
 * requirements of the scenario are about.
 */
function neededIn(sent) {
  return operationNames.filter((name) =>
    sent.some(({ operation, isNeeded }) => isNeeded && operation === name),
  );
}

/**
 * Returns how many requests the longest chain has, each sent after the response to the one before.
 * Returns 0 for bad credentials, which wait for those of other scenarios too.
 */
function chainOf(sent, { phase }) {
  if (phase === "last") return 0;
  let n = 0;
  let end = 0;
  for (const { from, to } of sent.toSorted((a, b) => a.to - b.to))
    if (from >= end) [n, end] = [n + 1, to];
  return n;
}
