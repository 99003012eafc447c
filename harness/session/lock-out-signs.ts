import { Inconclusive } from "../scenario-errors.ts";
import { presentsItsOwn } from "../transport/http-request.ts";
import type { Delivered, Send } from "../transport/send.ts";
import { isThrottling } from "../transport/throttling.ts";
import { isBadCredential } from "./credential-bound.ts";

/** Responses that a lock-out after bad credentials could explain. */
export interface LockOutSigns {
  readonly watched: (next: Send<Delivered>) => Send<Delivered>;
  readonly count: () => number;
  /** Whether bad credentials were presented: from then on, a refusal of good ones may be a lock-out. */
  readonly isProvoked: () => boolean;
}

/**
 * Counts throttling, 423 and missing responses, and each 401 or 403 to a valid request with good credentials (INT-17).
 */
export const createLockOutSigns = (): LockOutSigns => {
  let count = 0;
  let isProvoked = false;
  return {
    watched: (next) => async (spec, origin) => {
      isProvoked ||= isBadCredential(spec);
      try {
        const delivered = await next(spec, origin);
        const { response } = delivered;
        const isGood = !presentsItsOwn(spec) && spec.intent.kind === "valid";
        const isRefused = [401, 403].includes(response.status);
        if (isThrottling(response) || response.status === 423 || (isGood && isRefused)) count += 1;
        return delivered;
      } catch (error) {
        if (error instanceof Inconclusive) count += 1;
        throw error;
      }
    },
    count: () => count,
    isProvoked: () => isProvoked,
  };
};
