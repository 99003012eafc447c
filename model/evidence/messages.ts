import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import type { Certificate, CreatedKind, Finding, NoVerdict, SentKind, RecordedExchange } from "../run.ts";

/** The kinds of resources that the server gives an id. */
export type ResourceKind = Exclude<CreatedKind, "acam item">;

/** A record that the worker sends to the main thread during a run: plain data, redacted, of bounded size. */
export type Evidence =
  | ({ readonly type: "step" } & PreflightStep)
  | HeldRecord
  | ViolatedRecord
  /** `alone`: what a request that had crashed the server was answered with each time it was sent alone. */
  | {
      readonly type: "repeated";
      readonly requirement: RequirementId;
      readonly key: string;
      readonly text: string;
      readonly alone?: number;
    }
  | ({ readonly type: "inconclusive"; readonly requirement: RequirementId } & NoVerdict)
  | { readonly type: "answer"; readonly question: QuestionId; readonly case: string; readonly answer: string }
  | { readonly type: "exchange"; readonly exchange: RecordedExchange }
  | { readonly type: "sent"; readonly operation: OperationName; readonly kind: SentKind }
  | ResponseRecord
  | { readonly type: "waiting"; readonly text: string }
  | { readonly type: "pool"; readonly name: string; readonly used: number; readonly of: number }
  /** How many scenarios a run has, and to which operations they send requests that must succeed. */
  | { readonly type: "planned"; readonly scenarios: number; readonly operations: readonly OperationName[] }
  | { readonly type: "done"; readonly requirements: readonly RequirementId[]; readonly took: number }
  /** `error`: of fxconform itself. `untestable`: why the target cannot be tested. */
  | { readonly type: "note"; readonly kind: "warning" | "untestable" | "error"; readonly text: string }
  | Span
  | { readonly type: "secret"; readonly value: string }
  /** For `--record`: an entry of a HAR file, as a JSON text. */
  | { readonly type: "recorded"; readonly entry: string }
  | { readonly type: "end"; readonly peakInFlight: number };

export type EvidenceOf<T extends Evidence["type"]> = Extract<Evidence, { readonly type: T }>;

/** A step of the way to a target that can be tested. */
export interface PreflightStep {
  readonly step: "name" | "connection" | "tls" | "key" | "token";
  readonly ok: boolean;
  /** The run ends here, because nothing can be tested. */
  readonly stops?: true;
  readonly found: string;
  readonly certificate?: Certificate;
  readonly advice?: string;
}

/** That requirements held once, each of them. */
interface HeldRecord {
  readonly type: "held";
  readonly requirements: readonly RequirementId[];
  readonly scenario?: string;
  /** The exchange that shows it, if it is kept. */
  readonly exchange?: number;
}

interface ViolatedRecord {
  readonly type: "violated";
  readonly requirement: RequirementId;
  /** Equal for violations with the same operation and message. Absent beyond the bounds. */
  readonly key?: string;
  /** Only with the first violation of a key, and with a smaller example of it. */
  readonly finding?: FoundViolation;
}

/** A violation with what shows it: the finding of the report without what the main thread adds. */
export type FoundViolation = Omit<Finding, "replay" | "occurrences">;

export interface ResponseRecord {
  readonly type: "response";
  readonly operation: OperationName;
  readonly status: number;
  /** Milliseconds. */
  readonly took: number;
  /** The operation answers with a success that can be read. */
  readonly succeeded?: boolean;
  /** What the success created. `id`: absent if the response has none that a request could name. */
  readonly created?: { readonly kind: CreatedKind; readonly id?: string };
}

/** A request of a scenario in a traced run, with its waits and earlier attempts. */
export interface Span {
  readonly type: "span";
  readonly scenario: string;
  readonly operation: OperationName;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** How far a run has come. */
export interface Progress {
  /** Responses so far. */
  readonly requests: number;
  readonly scenariosDone: number;
  readonly scenarios: number;
  readonly failing: number;
  /** What the run waits for, if it is a long wait: a rate limit, a target in trouble. */
  readonly waiting?: string;
}
