import { mostCreations } from "../../harness/sending/attempt.ts";
import { waits } from "../../model/bounds.ts";
import { measured } from "../../suites/measured.ts";
import type { RunSettings } from "../../model/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";

export { mostCreations };

/**
 * About how many requests a run with these settings sends, and how many seconds it takes if each
 * response takes 50 ms.
 */
export function expectedOf(settings: RunSettings): {
  readonly requests: number;
  readonly seconds: number;
} {
  const requests = expectedRequests(settings);
  const each =
    settings.rate === undefined
      ? responseTime / Math.min(settings.concurrency, 4)
      : 1000 / settings.rate;
  return { requests, seconds: Math.max(1, Math.round((requests * each) / 1000)) };
}

const responseTime = 50;

/**
 * About how many requests a run with these settings sends, as measured with the reference server.
 */
function expectedRequests(settings: RunSettings): number {
  const { profile, selection, runs, fewest, maxBadCredentials = Infinity } = settings;
  const isSmoke = profile === "smoke";
  const sent: Readonly<Record<string, number>> = isSmoke
    ? measured.smoke.scenarios
    : measured.scenarios;
  const whole = isSmoke ? measured.smoke.requests : between(measured.full, runs);
  const bad = (id: string): number => (presentBad.has(id) ? (sent[id] ?? 0) : 0);
  /** Without the bad credentials of these scenarios that may not be sent. */
  const allowed = (requests: number, scenarios: Iterable<string>): number => {
    const all = [...scenarios].reduce((sum, id) => sum + bad(id), 0);
    return requests - Math.max(0, all - maxBadCredentials);
  };
  if (fewest !== true) return allowed(whole, Object.keys(sent));
  // A requirement that was added after the measurement is missing in it.
  const only: Readonly<Partial<Record<RequirementId, readonly string[]>>> = measured.only;
  const needed = new Set(selection.flatMap((id) => only[id] ?? []));
  const own = [...needed].reduce<number>((sum, id) => sum + (sent[id] ?? 0), measured.session);
  return allowed(Math.min(whole, own), needed);
}

const presentBad: ReadonlySet<string> = new Set(measured.presentBad);

/**
 * The value at `x` on the line through the two points next to it, rounded. The points are in rising
 * order of x.
 */
function between(points: readonly (readonly [x: number, y: number])[], x: number): number {
  const next = Math.max(
    1,
    points.findIndex(([at], index) => at >= x || index === points.length - 1),
  );
  const [x0, y0] = points[next - 1] ?? [0, 0];
  const [x1, y1] = points[next] ?? [0, 0];
  return Math.round(y0 + ((x - x0) * (y1 - y0)) / (x1 - x0));
}

/**
 * The longest time that a run may take, in milliseconds: for its requests, some of them unanswered,
 * and for the waits that a server demands.
 */
export function runBound(settings: RunSettings): number {
  const { timeout, grace, rate } = settings;
  const requests = 2 * expectedRequests(settings);
  const sending = rate === undefined ? requests * 250 : (requests * 1000) / rate;
  const silent = (5 + requests / 50) * timeout;
  return Math.min(longestTimer, Math.round(sending + silent + 10 * grace + waits.wholeRun));
}

/** The longest timer of Node in milliseconds, about 24 days. A longer one fires at once. */
const longestTimer = 2 ** 31 - 1;
