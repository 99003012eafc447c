import { mostCreations } from "../harness/transport/creation-bound.ts";
import type { RunSettings } from "../model/target.ts";
import { judgedInSmoke, requirementIds } from "../spec/catalogue.ts";

/** The most requests of a run that may create something. The run never sends more. */
export { mostCreations };

/** About how many requests a run with these settings sends, and how many seconds it takes at 50 ms a response. */
export const expectedOf = (settings: RunSettings): { readonly requests: number; readonly seconds: number } => {
  const requests = expectedRequests(settings);
  const each = settings.rate === undefined ? responseTime / Math.min(settings.concurrency, 4) : 1000 / settings.rate;
  return { requests, seconds: Math.max(1, Math.round((requests * each) / 1000)) };
};

/** Milliseconds that a response is assumed to take. */
const responseTime = 50;

/**
 * Fitted to runs against the reference server: a fixed number, values drawn from the pools (at most 860), and the
 * samples of properties.
 */
const expectedRequests = ({ profile, selection, runs }: RunSettings): number => {
  const selected = profile === "smoke" ? selection.filter(judgedInSmoke) : selection;
  const whole = profile === "smoke" ? smokeRequests : Math.round(640 + Math.min(860, 2.8 * runs) + 2.8 * runs);
  const all = profile === "smoke" ? requirementIds.filter(judgedInSmoke) : requirementIds;
  if (selected.length >= all.length) return whole;
  return Math.min(whole, 20 + Math.ceil((whole / all.length) * 3) * selected.length);
};

const smokeRequests = 45;

/**
 * The longest that a run may take, in milliseconds: its requests at the given rate, some of them without a response
 * until their time-out, and room for the waits that the target demands.
 */
export const runBound = (settings: RunSettings): number => {
  const { timeout, grace, rate } = settings;
  const requests = 2 * expectedRequests(settings);
  const sending = rate === undefined ? requests * 250 : (requests * 1000) / rate;
  const silent = (5 + requests / 50) * timeout;
  return Math.min(longestTimer, Math.round(sending + silent + 10 * grace + 180_000));
};

/** Milliseconds, about 24 days: a longer timer of Node fires at once. */
const longestTimer = 2 ** 31 - 1;
