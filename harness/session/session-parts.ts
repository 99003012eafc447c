import type { Exchange } from "../../model/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { RateLimiter } from "../transport/rate-limiter.ts";
import type { Send } from "../transport/send.ts";
import type { Blocks } from "./blocks.ts";
import type { CredentialFacts } from "./credential-facts.ts";
import type { LockOutSigns } from "./lock-out-signs.ts";
import type { Session } from "./session.ts";

/** What the code for keys and tokens works with. */
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
  /** Sends with all waits and retries, ahead of all waiting requests. */
  readonly firstWithRetries: Send<Exchange>;
  /** Sends again only where the target throttles or a gateway fails. Only for tasks that already run alone. */
  readonly direct: Send<Exchange>;
  /** Sends once; throws Inconclusive if the target throttles the request or a gateway answers with an error. */
  readonly directUnlessBusy: Send<Exchange>;
}
