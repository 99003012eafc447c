import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { Intent } from "./exchange.ts";
import type { CauseClass } from "./run.ts";
import type { Kind } from "../harness/judging/identities.ts";

/** What leaves the worker while a run goes on: plain, redacted, bounded. */
export type Evidence =
  | { readonly type: "asked"; readonly counts: Readonly<Partial<Record<RequirementId, number>>> }
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
  | { readonly type: "timeline"; readonly entries: readonly TimelineRow[] }
  | { readonly type: "created"; readonly kind: Kind | "acam item"; readonly id: string }
  | { readonly type: "succeeded"; readonly operation: OperationName }
  | { readonly type: "untestable"; readonly reason: string }
  | { readonly type: "waiting"; readonly text: string }
  | { readonly type: "warning"; readonly text: string }
  | { readonly type: "secret"; readonly value: string }
  | { readonly type: "planned"; readonly scenario: string; readonly operations: readonly OperationName[] }
  | { readonly type: "done"; readonly requirements: readonly RequirementId[]; readonly took: number }
  | { readonly type: "repeated"; readonly key: string; readonly text: string }
  | { readonly type: "fault of ours"; readonly scenario: string; readonly text: string }
  | { readonly type: "end"; readonly requests: number; readonly peakInFlight: number };

/** A violation as found. `key` is the same for the same cause. */
export interface FoundViolation {
  readonly key: string;
  readonly requirement: RequirementId;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer?: string;
  readonly exchange?: number;
  readonly operation?: OperationName;
  readonly intent?: Intent["kind"];
  /** The class of expected and actual: the same for findings with one cause. */
  readonly cause?: CauseClass;
  /** Requirements whose scenario found it; asking them again finds it again. */
  readonly scenario: readonly RequirementId[];
  readonly curl: string;
  readonly repeated?: string;
}

/** Operation, milliseconds since the start, milliseconds taken, status (0: no response). */
export type TimelineRow = readonly [operation: OperationName, at: number, took: number, status: number];

/** A redacted exchange with bodies cut. */
export interface RecordedExchange {
  readonly id: number;
  readonly operation: OperationName;
  readonly scenario: string;
  readonly violates: readonly RequirementId[];
  readonly intent: string;
  readonly at: number;
  readonly waited: number;
  readonly took: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body?: string;
    readonly bodyBytes: number;
  };
  readonly response?: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
    readonly bodyBytes: number;
  };
  readonly error?: string;
  readonly serverIds?: readonly string[];
}
