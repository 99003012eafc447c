import { mostCreations, mostRequests } from "../../harness/sending/attempt.ts";
import { waits } from "../../model/bounds.ts";
import { plural } from "../../model/plural.ts";
import { type RunSettings, timeBoundOf } from "../../model/target.ts";

export { mostCreations, mostRequests };

/**
 * About how many requests a run with these settings sends to a server that obeys, or with `fewest`
 * at most how many, and how many seconds they take if each response takes 50 ms.
 */
export function expectedOf(settings: RunSettings) {
  const requests = expectedRequests(settings);
  const each =
    settings.rate === undefined
      ? responseTime / Math.min(settings.concurrency, 4)
      : 1000 / settings.rate;
  return { requests, seconds: Math.max(1, Math.round((requests * each) / 1000)) };
}

const responseTime = 50;

/**
 * A run of one requirement sends at most this many requests: payees of every kind, and an operation
 * for most of them.
 */
export const mostAlone = 130;

/**
 * How many requests a run sends to a server that obeys, beside those for bad credentials: a full
 * run, more for each sample of a property, and a run of the profile smoke.
 */
const usual = { full: 665, sample: 1.6, smoke: 15 };

/** How many requests present bad credentials or belong to them, by the profile. */
const badCredentials = { full: 116, smoke: 49 };

function expectedRequests(settings: RunSettings): number {
  const { profile, selection, runs, fewest, maxBadCredentials = Infinity } = settings;
  const good = profile === "smoke" ? usual.smoke : usual.full + usual.sample * runs;
  const whole = good + Math.min(badCredentials[profile], maxBadCredentials);
  return Math.round(fewest === true ? Math.min(whole, mostAlone * selection.length) : whole);
}

/**
 * The longest time that a run may take, in milliseconds: that of `--max-time`, or else the time for
 * its requests, some of them unanswered, and for the waits that a server demands.
 */
export function runBound(settings: RunSettings): number {
  const { timeout, grace, rate, maxTime } = settings;
  if (maxTime !== undefined) return maxTime;
  const requests = 2 * expectedRequests(settings);
  const sending = rate === undefined ? requests * 250 : (requests * 1000) / rate;
  const silent = (5 + requests / 50) * timeout;
  return Math.min(longestTimer, Math.round(sending + silent + 10 * grace + waits.wholeRun));
}

/**
 * When a run with these settings has ended, in words: `within 3 minutes, or within 17 if most
 * responses take more than a second`.
 */
export function endText(settings: RunSettings): string {
  const longest = minutes(runBound(settings));
  const usualTime = minutes(timeBoundOf(settings)?.whole ?? Infinity);
  return usualTime < longest
    ? `within ${plural(usualTime, "minute")}, or within ${longest} if most responses take more than a second`
    : `within ${timeText(runBound(settings))}`;
}

const minutes = (ms: number): number => Math.ceil(ms / 60_000);

function timeText(ms: number): string {
  return ms < 120_000 ? plural(Math.ceil(ms / 1000), "second") : plural(minutes(ms), "minute");
}

/** The longest timer of Node in milliseconds, about 24 days. A longer one fires at once. */
const longestTimer = 2 ** 31 - 1;
