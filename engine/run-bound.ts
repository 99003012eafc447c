import type { RunSettings } from "../model/target.ts";

/** Most requests that a default full run needs (ruling 32). */
const mostRequests = 800;

/**
 * The longest that a run may take, in milliseconds: its requests at the given rate, a share of them silent until
 * their time-out, and room for waiting that the target asks for.
 */
export const runBound = ({ timeout, grace, rate, runs, profile }: RunSettings): number => {
  const requests = profile === "smoke" ? 120 : mostRequests + 20 * runs;
  const sending = rate === undefined ? requests * 250 : (requests * 1000) / rate;
  return Math.round(sending + 40 * timeout + 10 * grace + 180_000);
};
