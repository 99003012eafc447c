import { isRefusal, type Exchange } from "../../model/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { RateLimiter } from "../transport/rate-limiter.ts";
import { pause } from "../transport/throttling.ts";
import type { Send } from "../transport/send.ts";
import type { CredentialFacts } from "./credential-facts.ts";
import { listRequest, sessionOrigin } from "./session-requests.ts";

/** Milliseconds to wait where what worked before is refused, before it is sent again. */
export const blockWaits = [1000, 2000, 4000];

/** Controls that were accepted, after which 403 is how this server refuses a request. */
const mostControls = 3;

/** Refusals that are not about the request: for a while a firewall refuses everything. */
export interface Blocks {
  readonly waitOut: (wait: number, what: string) => Promise<void>;
  /** How often a block was waited for. */
  readonly waits: () => number;
  /**
   * Whether a 403 is not about its request: what worked before is refused too. `issued` is the response of the token
   * endpoint just before. Must run alone.
   */
  readonly isBlocked: (issued: Exchange | undefined) => Promise<boolean>;
}

interface BlockParts {
  readonly recorder: Recorder;
  readonly rateLimiter: RateLimiter;
  readonly signal: AbortSignal;
  readonly facts: CredentialFacts;
  readonly direct: Send<Exchange>;
}

export const createBlocks = ({ recorder, rateLimiter, signal, facts, direct }: BlockParts): Blocks => {
  let waits = 0;
  let blocked = 0;
  let accepted = 0;
  return {
    waitOut: async (wait, what) => {
      // What is in flight when a block begins is refused with it.
      if (waits === 0) rateLimiter.narrow();
      waits += 1;
      recorder.emit({ type: "waiting", text: `${what}, waiting ${wait / 1000} s` });
      await pause(wait, signal);
    },
    waits: () => waits,
    isBlocked: async (issued) => {
      if (issued !== undefined && isRefusal(issued) && facts.keyWorked()) return true;
      if (facts.listLength() === undefined || (blocked === 0 && accepted >= mostControls)) return false;
      const control = await direct(listRequest, sessionOrigin);
      const isBlocked = control.response.status === 403;
      if (isBlocked) blocked += 1;
      else accepted += 1;
      return isBlocked;
    },
  };
};
