import type { OperationName } from "../../spec/operations.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Delivered, Send } from "./send.ts";
import { pause } from "./throttling.ts";

/** Milliseconds before a request that a gateway's 502, 503 or 504 ended is sent again (INT-04). */
const waits = [200, 800, 1600];

/** Requests of an operation that ended so in spite of all waits, after which its further ones are not sent again. */
const mostInVain = 3;

/** Times in a row that slowing down was in vain, after which 503 is taken for trouble rather than for haste. */
const mostSlowing = 4;

/** Retries after a gateway's 502, 503 or 504: these say little about the target. */
export const createRetried = (rateLimiter: RateLimiter, signal: AbortSignal) => {
  const inVain = new Map<OperationName, number>();
  let slowedInVain = 0;

  /** Twice in a row: some servers say 503 where others say 429, and expect fewer requests. */
  const slowDown = (wait: number): void => {
    rateLimiter.throttled(wait);
    slowedInVain += 1;
  };

  return (next: Send<Delivered>): Send<Delivered> =>
    async (spec, origin) => {
      const { operation } = spec;
      let slowed = false;
      for (let retries = 0; ; retries += 1) {
        const delivered = await next(spec, origin);
        const { status } = delivered.response;
        if (!isGatewayError(status)) {
          if (slowed) slowedInVain = 0;
          return delivered;
        }
        const failures = inVain.get(operation) ?? 0;
        const wait = waits[retries];
        if (wait === undefined || failures >= mostInVain) {
          inVain.set(operation, failures + 1);
          return delivered;
        }
        if (status === 503 && retries > 0 && slowedInVain < mostSlowing) {
          slowDown(wait);
          slowed = true;
        }
        await pause(wait, signal);
      }
    };
};

/** 502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout. */
export const isGatewayError = (status: number): boolean => [502, 503, 504].includes(status);
