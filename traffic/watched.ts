import type { ReceivedResponse, SentRequest } from "../model/exchange.ts";

/** A request and its response that a client other than fxconform exchanged with a server. */
export interface Watched {
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** The request had a body that is not known. */
  readonly withoutRequestBody: boolean;
  /** The bytes of the response are known, and not only its text, so it can be judged whether it is UTF-8. */
  readonly withBytes: boolean;
  /** Milliseconds since the epoch at which it was sent. */
  readonly startedAt: number;
  /** Where it was seen: `run.har, entry 12`. */
  readonly place: string;
}
