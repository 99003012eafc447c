import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { CauseClass, Latency, Run } from "./run.ts";
import type { RunSettings, Target } from "./target.ts";

/** Everything that decides what a run does. Checked by the caller; `run` trusts it. */
export interface RunOptions extends Omit<GateRules, "today"> {
  readonly target: Target;
  readonly settings: RunSettings;
  /**
   * The run stops when this many requirements have failed that the gate does not tolerate. Absent:
   * it never does.
   */
  readonly bail?: number;
  /** What was selected, in the words of the user; absent: everything. */
  readonly selected?: Run["selection"];
  /**
   * The options as given, by their names in the configuration file, without secrets; kept in the
   * report.
   */
  readonly given?: Run["settings"];
  /**
   * Checks failures again, in a shell. @defaultValue "npx fxconform replay
   * fxconform-report/report.json"
   */
  readonly replayCommand?: string;
}

/** How traffic or a document is judged, and what the gate demands. Plain data. */
export interface OfflineOptions extends Omit<RunOptions, "target" | "settings" | "bail"> {
  readonly selection: readonly RequirementId[];
  /** The command that judges the same again, quoted for a shell; ` --only <id>` follows it. */
  readonly replayCommand: string;
}

/**
 * An entry of a statement: the answers that the user allows to an open question (ISO/IEC 9646:
 * ICS).
 */
export interface PinnedAnswer {
  readonly question: QuestionId;
  /** The case that it is about. @defaultValue every case of the question */
  readonly case?: string;
  /** Cases that are not among "every case", as other entries are about them. @defaultValue none */
  readonly except?: readonly string[];
  /** The answers that are allowed; any other fails the gate. */
  readonly answers: readonly string[];
}

/** An entry of a baseline: a known failure that the gate tolerates until a date. */
export interface KnownFailure {
  readonly requirement: RequirementId;
  readonly reason: string;
  /** The last day on which it is tolerated, in UTC: `YYYY-MM-DD`. */
  readonly expires: string;
  /** The known cause; a failure for another cause is not tolerated. @defaultValue any cause */
  readonly finding?: CauseClass;
}

/**
 * An option that makes the gate demand less, and that stands in a file, where nobody who runs it
 * sees it.
 */
export interface Narrowing {
  readonly option: "only" | "exclude" | "statement" | "baseline";
  /** The value as the file has it: `[AUTH-01]`. */
  readonly given: string;
  /** The name of the file: `fxconform.config.yaml`. */
  readonly file: string;
}

/** What the gate demands of a run. */
export interface GateRules {
  /** Warnings and inconclusive requirements fail the gate. */
  readonly strict: boolean;
  readonly statement: readonly PinnedAnswer[];
  readonly baseline: readonly KnownFailure[];
  /** Nothing but the profile may leave requirements out. @defaultValue false */
  readonly complete?: boolean;
  /** Options of a file that make the gate demand less. @defaultValue none */
  readonly narrowing?: readonly Narrowing[];
  /** @defaultValue none */
  readonly budgets?: readonly LatencyBudget[];
  /** The date of the run in UTC: `YYYY-MM-DD`. */
  readonly today: string;
}

/** The statistics of an operation's latency that a budget can bound. */
export const statistics = [
  "p50",
  "p95",
  "p99",
  "max",
] as const satisfies readonly (keyof Latency)[];

export interface LatencyBudget {
  readonly operation: OperationName;
  readonly statistic: (typeof statistics)[number];
  readonly milliseconds: number;
}

/**
 * The names of the reports, which `--reports` takes. They are not in `index.ts`, because that loads
 * every renderer.
 */
export const reportNames = ["json", "junit", "html", "markdown", "har", "metrics"] as const;

export type ReportName = (typeof reportNames)[number];

/**
 * Nothing was sent or took time where a document was judged: it has no exchanges and no metrics.
 */
export function reportsOfDocuments(names: readonly ReportName[]): readonly ReportName[] {
  return names.filter((name) => name !== "har" && name !== "metrics");
}
