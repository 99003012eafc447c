import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { Fields } from "./exchange.ts";

/** A request or response as reports keep it: redacted, its body cut to a maximum length. */
interface RecordedMessage {
  readonly headers: Fields;
  /** Size of the whole body after content decoding, even if `body` was cut. */
  readonly bodyBytes: number;
}

/** An exchange as reports keep it: plain data, redacted, of bounded size. */
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
  /** What went wrong if there is no response. */
  readonly error?: string;
  /** Ids that the server gave the request, such as x-request-id. */
  readonly serverIds?: readonly string[];
}
