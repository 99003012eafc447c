import { conclusionOf } from "./conclude.ts";
import { defined } from "../defined.ts";
import type { GateRules } from "./gate.ts";
import { narrowedTexts } from "./narrowing.ts";
import { requirementResults, type RequirementEvidence, type RunEvidence } from "./outcome.ts";
import { formatVersion, type RequirementResult, type Run, type SkippedBy } from "../run.ts";
import { requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import type { RunOptions } from "../run-options.ts";
import { notJudged, type Judged } from "../evidence/judgements.ts";

/** How traffic or a document is judged, and what the gate demands. Plain data. */
export interface OfflineOptions extends Omit<RunOptions, "target" | "settings" | "bail"> {
  readonly selection: readonly RequirementId[];
  /** The command that judges the same again, quoted for a shell; ` --only <id>` follows it. */
  readonly replayCommand: string;
}

/** What was found, and members of the run that are not the usual ones. */
type Found = Partial<Run> &
  Pick<Run, "runId" | "profile" | "target" | "startedAt" | "durationMs"> & {
    /** Version of fxconform. */
    readonly version: string;
    readonly found: ReadonlyMap<RequirementId, Judged>;
    /** The requirements to judge, and what left out one of them that was asked so often. */
    readonly wanted: readonly RequirementId[];
    readonly skippedBy: (requirement: RequirementId, asked: number) => SkippedBy | undefined;
    /** Why the run ended before it had checked everything. */
    readonly left?: string | undefined;
    /** Milliseconds that the scenarios of a requirement took. */
    readonly took?: ReadonlyMap<RequirementId, number>;
    readonly end: Omit<RunEvidence, "requirements" | "profile" | "latency">;
    /** Requirements whose findings are warnings, whatever their level. @defaultValue none */
    readonly isLess?: (requirement: RequirementId) => boolean;
  };

/** The run as `report.json` has it, with all that follows from what was found. */
export const wholeRun = (
  options: Omit<GateRules, "today"> & Pick<RunOptions, "selected" | "given">,
  { found, wanted, skippedBy, left, took, end, isLess, version, ...own }: Found,
): Run => {
  const { observations = [], latency = [], warnings = [], profile } = own;
  const evidenceOf = (id: RequirementId): RequirementEvidence => {
    const { inconclusive, ...shown } = found.get(id) ?? notJudged;
    return {
      ...shown,
      inconclusive: left === undefined ? inconclusive : [...inconclusive, { reason: left, cutShort: false }],
      ...defined({
        tookMs: took && Math.round(took.get(id) ?? 0),
        skippedBy: wanted.includes(id) ? skippedBy(id, shown.asked) : "selection",
      }),
    };
  };
  const evidence = new Map(requirementIds.map((id) => [id, evidenceOf(id)]));
  const requirements = requirementResults(evidence).map((row): RequirementResult =>
    row.verdict === "fail" && isLess?.(row.id) === true ? { ...row, level: "SHOULD", verdict: "warn" } : row,
  );
  const scope = { profile, requirements, latency, ...defined({ selection: options.selected }) };
  const rules = { ...options, today: new Date().toISOString().slice(0, 10) };
  const narrowed = narrowedTexts(options, requirements);
  const conclusion = conclusionOf({ ...scope, ...end }, observations, rules);
  return {
    formatVersion,
    tool: { name: "fxconform", version },
    specification: { version: "beta" },
    ...{ seed: 0, runs: 0, requests: 0, peakInFlight: 0 },
    ...{ observations, exchanges: [], created: [], createdCounts: {}, withheld: [] },
    ...own,
    ...scope,
    ...conclusion,
    ...(narrowed.length === 0 ? {} : { narrowed }),
    ...defined({ settings: options.given }),
    warnings: [...warnings, ...conclusion.warnings],
  };
};
