import type { OperationName } from "../../spec/operations.ts";
import type { Delivered, Send } from "./send.ts";
import { pause } from "./throttling.ts";

/** Milliseconds to wait before each retry after a gateway's 502, 503 or 504 (INT-04). */
const waits = [200, 800, 1600];

/** After this many requests of an operation failed in spite of all retries, its requests are not retried. */
const mostInVain = 3;

/** Retries after a gateway's 502, 503 or 504: these say little about the target. */
export const createRetried = (signal: AbortSignal) => {
  const inVain = new Map<OperationName, number>();
  return (next: Send<Delivered>): Send<Delivered> =>
    async (spec, origin) => {
      const { operation } = spec;
      for (let retries = 0; ; retries += 1) {
        const delivered = await next(spec, origin);
        const { status } = delivered.response;
        if (!isGatewayError(status)) return delivered;
        const failures = inVain.get(operation) ?? 0;
        const wait = waits[retries];
        if (wait === undefined || failures >= mostInVain) {
          inVain.set(operation, failures + 1);
          return delivered;
        }
        await pause(wait, signal);
      }
    };
};

/** 502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout. */
export const isGatewayError = (status: number): boolean => [502, 503, 504].includes(status);
