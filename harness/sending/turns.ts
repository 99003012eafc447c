import { setMaxListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Inconclusive } from "../errors.ts";

/** What decides when a request goes out: how urgent it is, and whether it asks for a token of the session. */
export interface Order {
  readonly urgency: number;
  readonly isToken: boolean;
}

/** The right to send requests, either beside others or exclusively. */
export interface Turn {
  readonly isExclusive: boolean;
  /** Performs the task, which sends a request, as soon as the request may go out. */
  readonly send: <T>(order: Order, task: () => Promise<T>) => Promise<T>;
  /**
   * Begins an exclusive turn once nothing is in flight. Within an exclusive turn, it returns that
   * turn at once, and `end` then ends nothing.
   */
  readonly exclusive: () => Promise<Turn>;
  readonly end: () => void;
}

/** A turn that waits for its beginning. */
interface Waiting extends Order {
  readonly isExclusive: boolean;
  readonly begin: () => void;
}

export type Scheduler = ReturnType<typeof createScheduler>;

/**
 * Decides when each request goes out: at most `concurrency` are in flight, and at most `rate` go
 * out in a second.
 *
 * Requests of the **shared** turn overlap. The most urgent goes first, and of equally urgent
 * requests the earliest. Of requests for a token, only one is in flight at a time, so that it is
 * known which token was issued last.
 *
 * An **exclusive** turn comes before all waiting requests. It begins when nothing is in flight, and
 * nothing else begins until it ends. Its requests go out at once: an exclusive turn never waits for
 * another turn. The rate limiter applies to both.
 */
export function createScheduler(concurrency: number, rate: number, signal: AbortSignal) {
  const limiter = createRateLimiter(rate, signal);
  const queue = createQueue(concurrency, signal);
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
  const exclusive = async (): Promise<Turn> => {
    const end = await queue.begun({ ...nextRequest, isExclusive: true });
    const within: Turn = {
      isExclusive: true,
      send: (_, task) => limited(task),
      exclusive: () => Promise.resolve(within),
      end: nothing,
    };
    return { ...within, end };
  };
  const shared: Turn = {
    isExclusive: false,
    send: async (order, task) => {
      const end = await queue.begun({ ...order, isExclusive: false });
      return limited(task).finally(end);
    },
    exclusive,
    end: nothing,
  };
  return {
    ...limiter,
    shared,
    peak: (): number => peak,
    /** From now on, at most so many requests of the shared turn are in flight at a time. */
    atMost: (requests: number): void => queue.narrow(requests),
  };
}

/** The order of a request of which nothing special is known. */
export const nextRequest: Order = { urgency: 0, isToken: false };

function nothing(): void {
  // The shared turn never ends, and a turn within an exclusive one ends with that.
}

function createQueue(concurrency: number, signal: AbortSignal) {
  /** The waiting turns: exclusive turns first, then by urgency. */
  const waiting: Waiting[] = [];
  let most = concurrency;
  let shared = 0;
  let tokens = 0;
  let isExclusive = false;

  /** The place of the turn that begins next. -1 if none may begin now. */
  const placeOfNext = (): number => {
    if (isExclusive) return -1;
    // Nothing overtakes an exclusive turn.
    if (waiting[0]?.isExclusive === true) return shared === 0 ? 0 : -1;
    return shared < most ? waiting.findIndex(({ isToken }) => !isToken || tokens === 0) : -1;
  };

  const count = (one: Omit<Waiting, "begin">, by: 1 | -1): void => {
    if (one.isExclusive) isExclusive = by > 0;
    else shared += by;
    if (one.isToken) tokens += by;
  };

  const begin = (): void => {
    for (;;) {
      const at = placeOfNext();
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      count(next, 1);
      next.begin();
    }
  };

  return {
    narrow: (to: number): void => void (most = to),
    /**
     * Waits until the turn has begun, and returns the function that ends it.
     */
    begun: async (one: Omit<Waiting, "begin">): Promise<() => void> => {
      await waitFor<void>(one.isExclusive ? "all other requests" : "its turn", signal, (go) => {
        const comesLater = (other: Waiting): boolean =>
          !other.isExclusive && (one.isExclusive || other.urgency < one.urgency);
        const before = waiting.findIndex(comesLater);
        const takeBack = queued(waiting, { ...one, begin: go }, before < 0 ? undefined : before);
        begin();
        return takeBack;
      });
      return () => {
        count(one, -1);
        begin();
      };
    },
  };
}

/** After throttling, the rate drops to this share of the responses in the second before. */
const backOff = 0.85;
/**
 * After `calm` milliseconds without throttling, the rate is multiplied by `growth` each second. Each
 * time that the target throttles a rate that was raised, the next try waits twice as long, up to
 * `longestCalm`. Above `unbounded`, there is no limit any more.
 */
const calm = 2000;
const longestCalm = 16_000;
const growth = 1.4;
const unbounded = 100;

function createRateLimiter(rate: number, signal: AbortSignal) {
  let current = rate;
  let pausedUntil = 0;
  let nextAt = 0;
  let lastThrottled = 0;
  let lastRaised = 0;
  let calmNow = calm;
  const recent: number[] = [];

  return {
    ready: async (): Promise<void> => {
      for (;;) {
        const now = performance.now();
        const at = Math.max(pausedUntil, nextAt);
        if (at <= now) {
          nextAt = current === Infinity ? 0 : Math.max(now, nextAt) + 1000 / current;
          return;
        }
        await pause(at - now, signal);
      }
    },
    /** Lets no request out for `wait` milliseconds, and fewer requests a second afterwards. */
    throttled: (wait: number): void => {
      const now = performance.now();
      const isFirst = now >= pausedUntil;
      const isTooHigh = lastRaised > lastThrottled;
      lastThrottled = now;
      pausedUntil = Math.max(pausedUntil, now + wait);
      if (!isFirst) return;
      if (isTooHigh) calmNow = Math.min(calmNow * 2, longestCalm);
      const lastSecond = recent.filter((at) => at > now - 1000).length;
      const lowered = Math.min(rate, Math.max(1, lastSecond * backOff));
      // After a pause, the second before had few responses. A rate that was reduced already is nearly
      // right, or something else throttles, such as a short maintenance.
      current = current < rate ? Math.max(current * backOff, lowered) : lowered;
    },
    /** Notes a response that did not throttle, after which the rate may rise again. */
    responded: (): void => {
      const now = performance.now();
      recent.push(now);
      if (recent.length > 1000) recent.splice(0, 500);
      if (current >= rate || now - Math.max(lastThrottled + calmNow, lastRaised) <= 1000) return;
      lastRaised = now;
      current = current > unbounded ? rate : Math.min(rate, current * growth);
    },
    /** How many requests go out in a second. Infinity if the target throttles none. */
    rate: (): number => current,
    /** Ends all waits, because the target was given up. */
    release: (): void => {
      pausedUntil = 0;
      nextAt = 0;
      current = Infinity;
    },
  };
}

/**
 * Lets responses be judged one at a time, the most urgent first.
 *
 * Responses often come several at a time. All of them are read, and the requests that waited for
 * their connections go out, before the first is judged. Otherwise the target would have nothing to
 * do while this thread judges.
 */
export function createResponseQueue() {
  const waiting: { readonly urgency: number; readonly begin: () => void }[] = [];

  const beginMostUrgent = (): void => {
    const urgency = waiting.reduce((most, one) => Math.max(most, one.urgency), -Infinity);
    const next = waiting.findIndex((one) => one.urgency === urgency);
    waiting.splice(next, 1)[0]?.begin();
  };
  const serve = async (): Promise<void> => {
    // undici uses a connection again in the next turn of the event loop.
    await nextTurn();
    while (waiting.length > 0) {
      await nextTurn();
      beginMostUrgent();
    }
  };

  return {
    /** Resolves when a response may be judged. Of equally urgent ones, the earliest comes first. */
    turn: (urgency: number): Promise<void> =>
      new Promise((begin) => {
        waiting.push({ urgency, begin });
        if (waiting.length === 1) void serve();
      }),
  };
}

/**
 * How a run waits: for another part of it, or for time to pass. Every other wait in this thread is
 * that for a response, or ends within a few turns of the event loop. `begin` gets the functions that
 * end the wait, and returns the one that takes it back. The wait ends with the run, too: then it
 * throws Inconclusive, which says what it waited for.
 */
export function waitFor<T>(
  what: string,
  signal: AbortSignal,
  begin: (go: (value: T) => void, fail: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const ended = (): void => {
      takeBack();
      reject(endedWhile(what));
    };
    const over = (): void => signal.removeEventListener("abort", ended);
    if (signal.aborted) return reject(endedWhile(what));
    // Any number of requests wait at a time.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", ended, { once: true });
    const takeBack = begin(
      (value) => {
        over();
        resolve(value);
      },
      (error) => {
        over();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

export const endedWhile = (what: string): Inconclusive =>
  new Inconclusive(`the run was ended while it waited for ${what}`);

/** Waits for what another part of the run does. */
export const resultOf = <T>(what: string, signal: AbortSignal, doing: Promise<T>): Promise<T> =>
  waitFor<T>(what, signal, (go, fail) => {
    doing.then(go, fail);
    return () => undefined;
  });

/** Waits for `ms` milliseconds. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  waitFor<void>(`${(ms / 1000).toFixed(1)} s to pass`, signal, (go) => {
    const timer = setTimeout(go, ms);
    return () => clearTimeout(timer);
  });

/** Adds to a list of what waits, and returns the function that removes it again. */
export function queued<T>(list: T[], one: T, at = list.length): () => void {
  list.splice(at, 0, one);
  return () => {
    const place = list.indexOf(one);
    if (place >= 0) list.splice(place, 1);
  };
}
