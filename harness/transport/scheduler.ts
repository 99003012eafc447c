import { pause } from "./throttling.ts";

export interface Turn {
  readonly isAlone: boolean;
  readonly urgency: number;
  readonly isToken: boolean;
}

interface Waiting extends Pick<Turn, "urgency" | "isToken"> {
  readonly begin: () => void;
}

export type Scheduler = ReturnType<typeof createScheduler>;

/**
 * Decides when each request goes out, of at most `concurrency` in flight and `rate` a second.
 *
 * A request has a **shared** turn or goes out within an **exclusive** one. Shared turns overlap: at most `concurrency` at
 * once, the most urgent first, and of equally urgent ones the first that came. Of requests for a token, only one is in
 * flight at a time, so that the last token that was issued is known. An exclusive turn comes before all waiting shared
 * ones, begins when nothing is in flight, and nothing else begins until it ends. What it sends goes out at once, without
 * a turn of its own: whoever has a turn never waits for another one. The rate limiter holds for both.
 */
export const createScheduler = (concurrency: number, rate: number, signal: AbortSignal) => {
  const limiter = createRateLimiter(rate, signal);
  const { beginShared, endShared, beginExclusive, endExclusive } = createTurns(concurrency);
  let inFlight = 0;
  let peak = 0;
  const limited = async <T>(task: () => Promise<T>): Promise<T> => {
    await limiter.ready();
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    try {
      return await task();
    } finally {
      inFlight -= 1;
    }
  };
  return {
    ...limiter,
    turn: async <T>(turn: Turn, task: () => Promise<T>): Promise<T> => {
      if (turn.isAlone) return limited(task);
      await beginShared(turn);
      try {
        return await limited(task);
      } finally {
        endShared(turn);
      }
    },
    /** Runs a task in an exclusive turn. Must not be called from within a turn. */
    alone: async <T>(task: () => Promise<T>): Promise<T> => {
      await beginExclusive();
      try {
        return await task();
      } finally {
        endExclusive();
      }
    },
    peak: (): number => peak,
  };
};

const createTurns = (concurrency: number) => {
  const exclusive: (() => void)[] = [];
  /** The most urgent first. */
  const waiting: Waiting[] = [];
  let isExclusive = false;
  let shared = 0;
  let tokens = 0;

  const begin = (): void => {
    if (isExclusive) return;
    if (exclusive.length > 0) {
      if (shared > 0) return;
      isExclusive = true;
      exclusive.shift()?.();
      return;
    }
    while (shared < concurrency) {
      const [next] = waiting.splice(firstOf(waiting, tokens), 1);
      if (next === undefined) return;
      shared += 1;
      if (next.isToken) tokens += 1;
      next.begin();
    }
  };

  return {
    beginShared: ({ urgency, isToken }: Turn): Promise<void> =>
      new Promise((resolve) => {
        const before = waiting.findIndex((other) => other.urgency < urgency);
        waiting.splice(before < 0 ? waiting.length : before, 0, { urgency, isToken, begin: resolve });
        begin();
      }),
    endShared: ({ isToken }: Turn): void => {
      shared -= 1;
      if (isToken) tokens -= 1;
      begin();
    },
    beginExclusive: (): Promise<void> =>
      new Promise((resolve) => {
        exclusive.push(resolve);
        begin();
      }),
    endExclusive: (): void => {
      isExclusive = false;
      begin();
    },
  };
};

/** The place of the first that may begin; after the last if there is none. */
const firstOf = (waiting: readonly Waiting[], tokens: number): number => {
  const at = waiting.findIndex(({ isToken }) => !isToken || tokens === 0);
  return at < 0 ? waiting.length : at;
};

/** After throttling, the rate is this share of the observed one. */
const backOff = 0.85;
/** After `calm` ms without throttling, the rate grows by `growth` each second, without limit above `unbounded`. */
const calm = 2000;
const growth = 2;
const unbounded = 100;

const createRateLimiter = (rate: number, signal: AbortSignal) => {
  let current = rate;
  let pausedUntil = 0;
  let nextAt = 0;
  let lastThrottled = 0;
  let lastRaised = 0;
  let isReduced = false;
  const recent: number[] = [];

  return {
    ready: async (): Promise<void> => {
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
    /** Nothing goes out for `wait` milliseconds, and fewer requests a second afterwards. */
    throttled: (wait: number): void => {
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
    /** A response arrived that did not throttle: the rate may rise again. */
    responded: (): void => {
      const now = performance.now();
      recent.push(now);
      if (recent.length > 1000) recent.splice(0, 500);
      if (current >= rate || now - Math.max(lastThrottled + calm, lastRaised) <= 1000) return;
      lastRaised = now;
      isReduced = false;
      current = current > unbounded ? rate : Math.min(rate, current * growth);
    },
    /** Nothing waits any more: the target was given up. */
    release: (): void => {
      pausedUntil = 0;
      nextAt = 0;
      current = Infinity;
    },
  };
};
