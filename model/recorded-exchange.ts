import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { Fields } from "./exchange.ts";

/** A request or response as it is kept: redacted, with a body that is cut to a bound. */
interface RecordedMessage {
  readonly headers: Fields;
  /** Size after content decoding; more than `body` holds where it was cut. */
  readonly bodyBytes: number;
}

/** An exchange as it is kept: plain, redacted, bounded. */
export interface RecordedExchange {
  readonly id: number;
  readonly operation: OperationName;
  /** Name of the scenario that sent it. */
  readonly scenario: string;
  /** Requirements with a finding in this exchange. */
  readonly violates: readonly RequirementId[];
  /** `valid`, `unusual: …` or `invalid: …` */
  readonly intent: string;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds since the run started. */
  readonly at: number;
  /** Milliseconds to the first byte of the response. */
  readonly waited: number;
  /** Milliseconds to the end of the response. */
  readonly took: number;
  readonly request: RecordedMessage & { readonly method: string; readonly url: string; readonly body?: string };
  readonly response?: RecordedMessage & {
    readonly status: number;
    readonly statusText: string;
    readonly body: string;
  };
  /** What went wrong where there is no response. */
  readonly error?: string;
  /** Ids that the server gave the request, such as x-request-id. */
  readonly serverIds?: readonly string[];
}
