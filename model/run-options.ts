import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { BaselineWords } from "./mistake.ts";
import type { Latency, Run } from "./run.ts";
import type { RunSettings, Target } from "./target.ts";

/** All options of a run. The caller has checked them; `run` trusts them. */
export interface RunOptions extends Omit<GateRules, "today"> {
  readonly target: Target;
  readonly settings: RunSettings;
  /** What the user selected, in the user's words. Absent if everything was selected. */
  readonly selected?: Run["selection"];
  /**
   * The options as they were given, by their names in the configuration file and without secrets.
   * The report keeps them.
   */
  readonly given?: Run["settings"];
  /**
   * The shell command that checks failures again. @defaultValue "npx fxconform replay
   * fxconform-report/report.json"
   */
  readonly replayCommand?: string;
}

/** How traffic or a document is judged, and what the gate demands. */
export interface OfflineOptions extends Omit<RunOptions, "target" | "settings"> {
  readonly selection: readonly RequirementId[];
  /**
   * The command that judges the same traffic or document again, quoted for a shell. For a single
   * requirement, ` --only <id>` is appended to it.
   */
  readonly replayCommand: string;
}

/**
 * An entry of a statement: the answers to an open question that the user allows. ISO/IEC 9646 calls
 * such a statement an ICS.
 */
export interface PinnedAnswer {
  readonly question: QuestionId;
  /** The case that the entry is about. @defaultValue every case of the question */
  readonly case?: string;
  /**
   * Cases that an entry without `case` leaves out, because other entries are about them.
   * @defaultValue none
   */
  readonly except?: readonly string[];
  /** The answers that are allowed. Any other answer fails the gate. */
  readonly answers: readonly string[];
}

/** An entry of a baseline: a known failure that the gate tolerates until a date. */
export interface KnownFailure {
  readonly requirement: RequirementId;
  readonly reason: string;
  /** The last day on which the failure is tolerated, in UTC: `YYYY-MM-DD`. */
  readonly expires: string;
  /** The known cause. A failure for another cause is not tolerated. @defaultValue any cause */
  readonly finding?: BaselineWords;
}

/**
 * An option in a file that makes the gate demand less. Reports name it, because the command line
 * does not show it.
 */
export interface Narrowing {
  readonly option: "only" | "exclude" | "statement" | "baseline";
  /** The value as it stands in the file: `[AUTH-01]`. */
  readonly given: string;
  /** The name of the file: `fxconform.config.yaml`. */
  readonly file: string;
}

/** What the gate demands of a run. */
export interface GateRules {
  /** Whether warnings and inconclusive requirements fail the gate. */
  readonly strict: boolean;
  readonly statement: readonly PinnedAnswer[];
  readonly baseline: readonly KnownFailure[];
  /**
   * Whether the gate fails if anything but the profile leaves requirements out. @defaultValue false
   */
  readonly complete?: boolean;
  /** Options in a file that make the gate demand less. @defaultValue none */
  readonly narrowing?: readonly Narrowing[];
  /** Bounds for the latency of operations. @defaultValue none */
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

/** With fewer responses than this, percentiles mean little, and no latency budget is checked. */
export const leastResponses = 5;

export interface LatencyBudget {
  readonly operation: OperationName;
  readonly statistic: (typeof statistics)[number];
  readonly milliseconds: number;
}

/**
 * The names of the reports, as `--reports` takes them. They do not stand in `reports/index.ts`,
 * because that file loads every renderer.
 */
export const reportNames = ["json", "junit", "html", "markdown", "metrics"] as const;

export type ReportName = (typeof reportNames)[number];

/**
 * Returns `names` without `metrics`: for a document nothing was sent, so there are none to report.
 */
export function reportsOfDocuments(names: readonly ReportName[]): readonly ReportName[] {
  return names.filter((name) => name !== "metrics");
}
