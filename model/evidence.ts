import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { FoundViolation } from "./finding.ts";
import type { CreatedKind, NoVerdict, SentKind } from "./run.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";

export type { FoundViolation, RecordedExchange };

/** The kinds of resources that the server gives an id. */
export type ResourceKind = Exclude<CreatedKind, "acam item">;

/** A message from the worker to the main thread during a run: plain data, redacted, of bounded size. */
export type Evidence =
  | { readonly type: "judged"; readonly counts: Readonly<Partial<Record<RequirementId, number>>> }
  /** Sent when a requirement is seen to hold in a scenario for the first time, with the exchange that shows it. */
  | {
      readonly type: "held";
      readonly requirement: RequirementId;
      readonly scenario: string;
      readonly exchange?: number;
    }
  | { readonly type: "finding"; readonly finding: FoundViolation }
  | { readonly type: "occurrences"; readonly counts: Readonly<Record<string, number>> }
  | ({ readonly type: "inconclusive"; readonly requirement: RequirementId } & NoVerdict)
  | {
      readonly type: "observation";
      readonly question: QuestionId;
      readonly case: string;
      readonly answer: string;
      readonly count: number;
    }
  | { readonly type: "exchange"; readonly exchange: RecordedExchange }
  /** How many requests were sent, by operation and kind. */
  | { readonly type: "sent"; readonly counts: Readonly<Partial<Record<`${OperationName} ${SentKind}`, number>>> }
  /** For `--record`: an entry of a HAR file, as a JSON text. */
  | { readonly type: "recorded"; readonly entry: string }
  | { readonly type: "timings"; readonly entries: readonly TimingRow[] }
  /** Only what was added since the last message of this type. */
  | { readonly type: "pool"; readonly name: string; readonly used: number; readonly of: number }
  | { readonly type: "created"; readonly kind: CreatedKind; readonly id: string }
  | { readonly type: "succeeded"; readonly operation: OperationName }
  | { readonly type: "untestable"; readonly reason: string }
  | { readonly type: "waiting"; readonly text: string }
  | { readonly type: "warning"; readonly text: string }
  | { readonly type: "secret"; readonly value: string }
  | {
      readonly type: "planned";
      readonly scenario: string;
      readonly operations: readonly OperationName[];
      /** The requirements that it judges, without those of the standing checks. */
      readonly requirements: readonly RequirementId[];
    }
  | { readonly type: "done"; readonly requirements: readonly RequirementId[]; readonly took: number }
  | Span
  /** `alone`: what a request that had crashed the server was answered with each time it was sent alone. */
  | { readonly type: "repeated"; readonly key: string; readonly text: string; readonly alone?: number }
  | { readonly type: "suite error"; readonly scenario: string; readonly text: string }
  | { readonly type: "end"; readonly requests: number; readonly peakInFlight: number };

/** A period of a traced run: a request of a scenario, or, without `operation`, the whole scenario. */
export interface Span {
  readonly type: "span";
  readonly scenario: string;
  readonly operation?: OperationName;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds that the request itself took. The rest of the span went into waiting and earlier attempts. */
  readonly took: number;
}

/** One request: operation, milliseconds it took, status (0: no response). */
export type TimingRow = readonly [operation: OperationName, took: number, status: number];
