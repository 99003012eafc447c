import type { Exchange } from "../../model/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { RateLimiter } from "../transport/rate-limiter.ts";
import type { Send } from "../transport/send.ts";
import type { Blocks } from "./blocks.ts";
import type { CredentialFacts } from "./credential-facts.ts";
import type { LockOutSigns } from "./lock-out-signs.ts";
import type { Session } from "./session.ts";

/** What the steps around key and token work with. */
export interface SessionParts {
  readonly recorder: Recorder;
  readonly rateLimiter: RateLimiter;
  readonly signal: AbortSignal;
  readonly session: Session;
  readonly facts: CredentialFacts;
  readonly blocks: Blocks;
  readonly signs: LockOutSigns;
  /** Sends with all waits and retries. */
  readonly withRetries: Send<Exchange>;
  /** The same, before all requests that wait for their turn. */
  readonly firstWithRetries: Send<Exchange>;
  /** Sends once: for what already runs alone. */
  readonly direct: Send<Exchange>;
  /** The same; throws Inconclusive where the target throttles the request or a gateway fails it. */
  readonly directUnlessBusy: Send<Exchange>;
}
