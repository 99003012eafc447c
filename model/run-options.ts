import type { RequirementId } from "../spec/catalogue.ts";
import type { GateRules } from "./conclusion/gate.ts";
import type { Run } from "./run.ts";
import type { RunSettings, Target } from "./target.ts";

/** Everything that decides what a run does. Checked by the caller; `run` trusts it. */
export interface RunOptions extends Omit<GateRules, "today"> {
  readonly target: Target;
  readonly settings: RunSettings;
  /** The run stops when this many requirements have failed that the gate does not tolerate. Absent: it never does. */
  readonly bail?: number;
  /** What was selected, in the words of the user; absent: everything. */
  readonly selected?: Run["selection"];
  /** The options as given, by their names in the configuration file, without secrets; kept in the report. */
  readonly given?: Run["settings"];
  /** Checks failures again, in a shell. @defaultValue "npx fxconform replay fxconform-report/report.json" */
  readonly replayCommand?: string;
}

/** How traffic or a document is judged, and what the gate demands. Plain data. */
export interface OfflineOptions extends Omit<RunOptions, "target" | "settings" | "bail"> {
  readonly selection: readonly RequirementId[];
  /** The command that judges the same again, quoted for a shell; ` --only <id>` follows it. */
  readonly replayCommand: string;
}

/** The names of the reports, which `--reports` takes. They are not in `index.ts`, because that loads every renderer. */
export const reportNames = ["json", "junit", "html", "markdown", "har", "metrics"] as const;

export type ReportName = (typeof reportNames)[number];

/** Nothing was sent or took time where a document was judged: it has no exchanges and no metrics. */
export const reportsOfDocuments = (names: readonly ReportName[]): readonly ReportName[] =>
  names.filter((name) => name !== "har" && name !== "metrics");
