import { pause } from "./throttling.ts";

/** When the next request may go out: the rate of the settings, and what the target asks for when it throttles. */
export interface Pace {
  /** Resolves when the next request may go out. */
  readonly ready: () => Promise<void>;
  /** Nothing goes out for `wait` milliseconds, and fewer requests a second afterwards. */
  readonly throttled: (wait: number) => void;
  /** A response arrived that did not throttle: the rate may rise again. */
  readonly responded: () => void;
  /** Nothing waits any more: the target was given up. */
  readonly release: () => void;
}

/** After throttling, the rate is this share of the observed one. */
const backOff = 0.85;
/**
 * After `calm` milliseconds without throttling, the rate grows by the factor `growth` each second. Above `unbounded`
 * requests a second, there is no limit any more.
 */
const calm = 2000;
const growth = 2;
const unbounded = 100;

/** A pace of at most `rate` requests a second. */
export const createPace = (rate: number, signal: AbortSignal): Pace => {
  let current = rate;
  let pausedUntil = 0;
  let nextAt = 0;
  let lastThrottled = 0;
  let lastRaised = 0;
  let isReduced = false;
  const recent: number[] = [];

  return {
    ready: async () => {
      for (;;) {
        const now = performance.now();
        const at = Math.max(pausedUntil, nextAt);
        if (at <= now || signal.aborted) {
          nextAt = current === Infinity ? 0 : Math.max(now, nextAt) + 1000 / current;
          return;
        }
        await pause(at - now, signal);
      }
    },
    throttled: (wait) => {
      const now = performance.now();
      lastThrottled = now;
      const isFirst = now >= pausedUntil;
      pausedUntil = Math.max(pausedUntil, now + wait);
      if (!isFirst) return;
      const lastSecond = recent.filter((at) => at > now - 1000).length;
      const lowered = Math.min(rate, Math.max(1, lastSecond * backOff));
      // A rate limit would admit this rate, so something else throttles, such as a short maintenance.
      const isBelow = isReduced && lastSecond >= current * backOff;
      current = isBelow ? Math.max(current, lowered) : lowered;
      isReduced = true;
    },
    responded: () => {
      const now = performance.now();
      recent.push(now);
      if (recent.length > 1000) recent.splice(0, 500);
      if (current >= rate || now - Math.max(lastThrottled + calm, lastRaised) <= 1000) return;
      lastRaised = now;
      isReduced = false;
      current = current > unbounded ? rate : Math.min(rate, current * growth);
    },
    release: () => {
      pausedUntil = 0;
      nextAt = 0;
      current = Infinity;
    },
  };
};
