import { conclusionOf } from "../model/conclusion.ts";
import { defined } from "../model/defined.ts";
import type { GateRules } from "../model/gate.ts";
import { requirementResults, type RequirementEvidence, type RunEvidence } from "../model/outcome.ts";
import { formatVersion, type RequirementResult, type Run } from "../model/run.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import type { RunOptions } from "../model/run-options.ts";
import { notJudged, type Judged } from "./judgements.ts";
import { newRunId, toolVersion } from "./version.ts";

/** How traffic or a document is judged, and what the gate demands. Plain data. */
export interface OfflineOptions extends Omit<RunOptions, "target" | "settings" | "bail"> {
  readonly selection: readonly RequirementId[];
  /** The command that judges the same again, quoted for a shell; ` --only <id>` follows it. */
  readonly replayCommand: string;
}

/** What was found, and members of the run that are not the usual ones. */
type Found = Partial<Run> &
  Pick<Run, "profile" | "target" | "startedAt" | "durationMs"> & {
    readonly evidenceOf: (requirement: RequirementId) => RequirementEvidence;
    readonly end: Omit<RunEvidence, "requirements" | "profile" | "latency">;
    /** Requirements whose findings are warnings, whatever their level. @defaultValue none */
    readonly isLess?: (requirement: RequirementId) => boolean;
  };

/** The run as `report.json` has it, with all that follows from what was found. */
export const wholeRun = (
  options: Omit<GateRules, "today"> & Pick<RunOptions, "selected" | "given">,
  { evidenceOf, end, isLess, ...own }: Found,
): Run => {
  const { observations = [], latency = [], warnings = [], profile } = own;
  const evidence = new Map(requirementIds.map((id) => [id, evidenceOf(id)]));
  const requirements = requirementResults(evidence).map((row): RequirementResult =>
    row.verdict === "fail" && isLess?.(row.id) === true ? { ...row, level: "SHOULD", verdict: "warn" } : row,
  );
  const scope = { profile, requirements, latency, ...defined({ selection: options.selected }) };
  const rules = { ...options, today: new Date().toISOString().slice(0, 10) };
  const conclusion = conclusionOf({ ...scope, ...end }, observations, rules);
  return {
    formatVersion,
    tool: { name: "fxconform", version: toolVersion() },
    specification: { version: "beta" },
    runId: newRunId(),
    ...{ seed: 0, runs: 0, requests: 0, peakInFlight: 0 },
    ...{ observations, exchanges: [], created: [], createdCounts: {}, withheld: [] },
    ...own,
    ...scope,
    ...conclusion,
    ...defined({ settings: options.given }),
    warnings: [...warnings, ...conclusion.warnings],
  };
};

/** What traffic or a document shows of a requirement. */
export const evidenceIn =
  (found: ReadonlyMap<RequirementId, Judged>, profile: "traffic" | "contract", { selection }: OfflineOptions) =>
  (id: RequirementId): RequirementEvidence => {
    const judged = found.get(id) ?? notJudged;
    const skippedBy = !selection.includes(id) ? "selection" : judged.asked === 0 ? profile : undefined;
    return { ...judged, ...defined({ skippedBy }) };
  };
