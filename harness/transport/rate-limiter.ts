import { createQueue } from "./queue.ts";
import { longestWaits } from "./throttling.ts";

/**
 * Admits requests: bounds their number in flight and their rate, pauses when the target throttles, runs tasks alone.
 */
export interface RateLimiter {
  /** Runs the task in its turn: the most urgent first, and of equally urgent ones the first that came. */
  readonly admit: <T>(task: () => Promise<T>, turn?: Turn) => Promise<T>;
  /** Runs the task ahead of all waiting tasks, even during a hold. */
  readonly admitFirst: <T>(task: () => Promise<T>) => Promise<T>;
  /** Runs the task while no creation is in flight. It may admit others, and must not be called from within a creation. */
  readonly withoutCreations: <T>(task: () => Promise<T>) => Promise<T>;
  /** Keeps waiting tasks from starting until the returned function is called. */
  readonly hold: () => () => void;
  /** Runs the task while nothing else is in flight. Must not be called from within an admitted task. */
  readonly alone: <T>(task: () => Promise<T>) => Promise<T>;
  /** Pauses for `wait` milliseconds, as the target demands, and lowers the rate afterwards. */
  readonly throttled: (wait: number) => void;
  /** A response arrived that did not throttle: the rate may rise again. */
  readonly responded: () => void;
  /** Milliseconds for which every response was throttling; 0 if the last response was not. */
  readonly throttledFor: () => number;
  /** Whether the target has throttled every request for the longest time that a run waits (INT-13). */
  readonly exhausted: () => boolean;
  readonly peak: () => number;
}

/** What decides when a task has its turn. */
export interface Turn {
  /** @defaultValue 0 */
  readonly urgency?: number;
  /** Whether it may change what the next batch holds. @defaultValue false */
  readonly isCreation?: boolean;
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

/** A rate limiter of at most `concurrency` in flight and `rate` requests a second. */
export const createRateLimiter = (concurrency: number, rate: number = Infinity): RateLimiter => {
  const others = createQueue<() => void>();
  const creations = createQueue<() => void>();
  const urgent = createQueue<() => void>();
  const undisturbed: (() => void)[] = [];
  let creationsInFlight = 0;
  let isUndisturbed = false;
  let holds = 0;
  const loners: (() => void)[] = [];
  let inFlight = 0;
  let lonely = false;
  let isStarting = false;
  let peak = 0;
  let pausedUntil = 0;
  let nextSlot = 0;
  let current = rate;
  let timer: NodeJS.Timeout | undefined;
  let throttledSince: number | undefined;
  let exhausted = false;
  let lastThrottled = 0;
  let lastRaised = 0;
  let isReduced = false;
  const recent: number[] = [];

  /** The queue with the next task; undefined if a hold keeps it from starting. */
  const next = (): typeof others | undefined => {
    if (urgent.urgency() !== undefined) return urgent;
    if (holds > 0) return undefined;
    const mayCreate = !isUndisturbed && undisturbed.length === 0;
    const [other, creation] = [others.urgency() ?? -1, mayCreate ? (creations.urgency() ?? -1) : -1];
    return Math.max(other, creation) < 0 ? undefined : creation > other ? creations : others;
  };

  const pump = (): void => {
    if (timer !== undefined) {
      clearTimeout(timer);
      timer = undefined;
    }
    if (lonely) return;
    if (undisturbed.length > 0 && !isUndisturbed && creationsInFlight === 0) {
      isUndisturbed = true;
      undisturbed.shift()?.();
    }
    const loner = loners[0];
    if (loner !== undefined) {
      if (inFlight > 0) return;
      loners.shift();
      lonely = true;
      loner();
      return;
    }
    if (!isStarting && next() !== undefined && inFlight < concurrency) {
      const now = performance.now();
      const at = Math.max(pausedUntil, nextSlot);
      if (at > now) {
        timer = setTimeout(pump, at - now);
        return;
      }
      if (current !== Infinity) nextSlot = Math.max(now, nextSlot) + 1000 / current;
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      const waiting = next();
      if (waiting === creations) creationsInFlight += 1;
      waiting?.next()?.();
      // The task starts first: it may hold the others, because it uses a token up.
      isStarting = true;
      queueMicrotask(() => {
        isStarting = false;
        pump();
      });
    }
  };

  const turnIn = (waiting: (() => void)[]): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      pump();
    });

  const admitFrom = async <T>(waiting: typeof others, task: () => Promise<T>, urgency = 0): Promise<T> => {
    await new Promise<void>((resolve) => {
      waiting.add(resolve, urgency);
      pump();
    });
    try {
      return await task();
    } finally {
      inFlight -= 1;
      if (waiting === creations) creationsInFlight -= 1;
      pump();
    }
  };

  /** Stops waiting for a target that throttles every request. `exhausted` is true from now on. */
  const release = (): void => {
    exhausted = true;
    pausedUntil = 0;
    nextSlot = 0;
    current = Infinity;
    pump();
  };

  return {
    admit: (task, { urgency, isCreation = false } = {}) => admitFrom(isCreation ? creations : others, task, urgency),
    admitFirst: (task) => admitFrom(urgent, task),
    withoutCreations: async (task) => {
      await turnIn(undisturbed);
      try {
        return await task();
      } finally {
        isUndisturbed = false;
        pump();
      }
    },
    hold: () => {
      holds += 1;
      let held = true;
      return () => {
        if (held) holds -= 1;
        held = false;
        pump();
      };
    },
    alone: async (task) => {
      await turnIn(loners);
      try {
        return await task();
      } finally {
        lonely = false;
        pump();
      }
    },
    throttled: (wait) => {
      const now = performance.now();
      throttledSince ??= now;
      lastThrottled = now;
      const fresh = now >= pausedUntil;
      if (now - throttledSince + wait > longestWaits) return release();
      pausedUntil = Math.max(pausedUntil, now + wait);
      if (!fresh) return;
      const lastSecond = recent.filter((at) => at > now - 1000).length;
      const lowered = Math.min(rate, Math.max(1, lastSecond * backOff));
      // A rate limit would admit this rate, so something else throttles, such as a short maintenance.
      const isBelow = isReduced && lastSecond >= current * backOff;
      current = isBelow ? Math.max(current, lowered) : lowered;
      isReduced = true;
    },
    responded: () => {
      const now = performance.now();
      throttledSince = undefined;
      exhausted = false;
      recent.push(now);
      if (recent.length > 1000) recent.splice(0, 500);
      if (current < rate && now - Math.max(lastThrottled + calm, lastRaised) > 1000) {
        lastRaised = now;
        isReduced = false;
        current = current > unbounded ? rate : Math.min(rate, current * growth);
      }
    },
    throttledFor: () => (throttledSince === undefined ? 0 : performance.now() - throttledSince),
    exhausted: () => exhausted,
    peak: () => peak,
  };
};
