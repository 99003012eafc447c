import type { Origin, ReceivedResponse, RequestSpec, SentRequest } from "../../model/exchange.ts";

/**
 * Sends a request spec on behalf of a scenario. Each concern of sending is a step `(next: Send) => Send`;
 * `../sender.ts` puts them in order.
 */
export type Send<Result> = (spec: RequestSpec, origin: Origin) => Promise<Result>;

/** A request that got a response. */
export interface Delivered {
  readonly sent: SentRequest;
  readonly response: ReceivedResponse;
  /** Milliseconds since the run started at which it was sent. */
  readonly at: number;
}
