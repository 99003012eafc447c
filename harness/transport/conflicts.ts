import type { Recorder } from "../recording/recorder.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Delivered, Send } from "./send.ts";

/** After this many conflicts that persist when sent alone, conflicts count as this server's way to refuse. */
const mostConflicts = 3;

/** How often a request is sent alone where conflicts of others were gone: some stay for a moment. */
const mostTimes = 3;

interface ConflictParts {
  readonly rateLimiter: RateLimiter;
  readonly recorder: Recorder;
  readonly direct: Send<Delivered>;
}

/**
 * A conflict or a lock may come from another request in flight (RFC 9110, 15.5.10), so the request is sent again while
 * nothing else is in flight.
 */
export const createUndisturbed = ({ rateLimiter, recorder, direct }: ConflictParts) => {
  let stayed = 0;
  let gone = 0;
  return (next: Send<Delivered>): Send<Delivered> =>
    async (spec, origin) => {
      const delivered = await next(spec, origin);
      const { status } = delivered.response;
      if (!isConflict(status) || (gone === 0 && stayed >= mostConflicts)) return delivered;
      let again = await rateLimiter.alone(() => direct(spec, origin));
      const most = gone > 0 ? mostTimes : 1;
      for (let times = 1; times < most && isConflict(again.response.status); times += 1)
        again = await rateLimiter.alone(() => direct(spec, origin));
      if (isConflict(again.response.status)) stayed += 1;
      else {
        gone += 1;
        recorder.observe("OPEN-27", "any request", `${status} while another request was in flight`);
      }
      return again;
    };
};

/** 409 Conflict, 423 Locked, 425 Too Early. */
const isConflict = (status: number): boolean => [409, 423, 425].includes(status);
