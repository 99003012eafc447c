import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { FoundViolation } from "./finding.ts";
import type { SentKind, Traffic } from "./run.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";

export type { FoundViolation, RecordedExchange };

/** What has an id of its own. */
export type ResourceKind = "counterparty" | "operation" | "batch";

/** What leaves the worker while a run goes on: plain, redacted, bounded. */
export type Evidence =
  | { readonly type: "judged"; readonly counts: Readonly<Partial<Record<RequirementId, number>>> }
  /** The first time that a requirement was seen to hold in a scenario, with the exchange that shows it. */
  | {
      readonly type: "held";
      readonly requirement: RequirementId;
      readonly scenario: string;
      readonly exchange?: number;
    }
  | { readonly type: "finding"; readonly finding: FoundViolation }
  | { readonly type: "occurrences"; readonly counts: Readonly<Record<string, number>> }
  | {
      readonly type: "inconclusive";
      readonly requirement: RequirementId;
      readonly reason: string;
      readonly cutShort: boolean;
    }
  | {
      readonly type: "observation";
      readonly question: QuestionId;
      readonly case: string;
      readonly answer: string;
      readonly count: number;
    }
  | { readonly type: "exchange"; readonly exchange: RecordedExchange }
  /** Requests that were sent, by operation and kind. */
  | { readonly type: "sent"; readonly counts: Readonly<Partial<Record<`${OperationName} ${SentKind}`, number>>> }
  /** An entry of a HAR file as a JSON text, for the recording of the run. */
  | { readonly type: "recorded"; readonly entry: string }
  | { readonly type: "timeline"; readonly entries: readonly TimelineRow[] }
  /** Since the last such rows. */
  | { readonly type: "traffic"; readonly rows: readonly Traffic[] }
  | { readonly type: "pool"; readonly name: string; readonly used: number; readonly of: number }
  | { readonly type: "created"; readonly kind: ResourceKind | "acam item"; readonly id: string }
  | { readonly type: "succeeded"; readonly operation: OperationName }
  | { readonly type: "untestable"; readonly reason: string }
  | { readonly type: "waiting"; readonly text: string }
  | { readonly type: "warning"; readonly text: string }
  | { readonly type: "secret"; readonly value: string }
  | {
      readonly type: "planned";
      readonly scenario: string;
      readonly operations: readonly OperationName[];
      /** What it judges by itself. */
      readonly requirements: readonly RequirementId[];
    }
  | { readonly type: "done"; readonly requirements: readonly RequirementId[]; readonly took: number }
  | Span
  | { readonly type: "repeated"; readonly key: string; readonly text: string }
  | { readonly type: "suite error"; readonly scenario: string; readonly text: string }
  | { readonly type: "end"; readonly requests: number; readonly peakInFlight: number };

/** What a scenario did and when, where a run is traced: sent a request, or, without an operation, ran as a whole. */
export interface Span {
  readonly type: "span";
  readonly scenario: string;
  readonly operation?: OperationName;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds that the request itself took; the rest of the span is waiting for its turn, and earlier attempts. */
  readonly took: number;
}

/** Operation, milliseconds since the start, milliseconds taken, status (0: no response). */
export type TimelineRow = readonly [operation: OperationName, at: number, took: number, status: number];
