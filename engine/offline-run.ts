import { conclusionOf } from "../model/conclusion.ts";
import { defined } from "../model/defined.ts";
import type { GateRules } from "../model/gate.ts";
import { requirementResults, untestedBy } from "../model/outcome.ts";
import { formatVersion, type RequirementResult, type Run } from "../model/run.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import { notJudged, type Judged } from "./judgements.ts";
import { newRunId, toolVersion } from "./version.ts";

/** How traffic or a document is judged, and what the gate demands. Plain data. */
export interface OfflineOptions extends Omit<GateRules, "today"> {
  readonly selection: readonly RequirementId[];
  readonly selected?: Run["selection"];
  readonly given?: Run["settings"];
  /** The command that judges the same again, quoted for a shell; ` --only <id>` follows it. */
  readonly replayCommand: string;
}

/** What was found, and members of the run that are not the usual ones. */
type Evidence = Partial<Run> &
  Pick<Run, "target" | "startedAt" | "durationMs"> & {
    readonly profile: "traffic" | "contract";
    readonly found: ReadonlyMap<RequirementId, Judged>;
    /** Why there is nothing to judge. */
    readonly nothing: string | undefined;
    /** Requirements whose findings are warnings, whatever their level. @defaultValue none */
    readonly isLess?: (requirement: RequirementId) => boolean;
  };

/** The run as `report.json` has it, where fxconform sent nothing. */
export const offlineRun = (options: OfflineOptions, { found, nothing, isLess, ...own }: Evidence): Run => {
  const { observations = [], latency = [], warnings = [], profile } = own;
  const evidence = requirementIds.map((id) => {
    const judged = found.get(id) ?? notJudged;
    const skippedBy = !options.selection.includes(id) ? "selection" : judged.asked === 0 ? profile : undefined;
    return [id, { ...judged, ...defined({ skippedBy }) }] as const;
  });
  const requirements = requirementResults(new Map(evidence)).map((row): RequirementResult =>
    row.verdict === "fail" && isLess?.(row.id) === true ? { ...row, level: "SHOULD", verdict: "warn" } : row,
  );
  const scope = { profile, requirements, latency, ...defined({ selection: options.selected }) };
  const untested = nothing === undefined ? undefined : untestedBy(nothing, []);
  const rules = { ...options, today: new Date().toISOString().slice(0, 10) };
  const conclusion = conclusionOf({ ...scope, interrupted: false, ...defined({ untested }) }, observations, rules);
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
