import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { plural } from "../plural.ts";
import type { JudgedCounts, Latency, Outcome, RequirementResult, Run, Verdict } from "../run.ts";
import type { Gap } from "../../spec/gaps.ts";

export interface RunEvidence extends Scope {
  readonly interrupted: boolean;
  readonly error?: string;
  /**
   * Why the target as a whole was not tested, from `untestedBy`. Such a run fails the gate even if
   * all failures are known.
   */
  readonly untested?: string;
  /** How many mistakes break a MUST. Absent if they were not counted. */
  readonly mistakes?: number;
  /** The gaps that the settings cause, as with a single currency pair or one request at a time. */
  readonly leftOut?: readonly Gap[];
  readonly latency?: readonly Latency[];
}

/** The requirements of a run, and what may have left some of them out. */
type Scope = Pick<Run, "requirements" | "profile"> & Partial<Pick<Run, "selection">>;

export function outcomeOf(run: RunEvidence): {
  readonly outcome: Outcome;
  readonly summary: string;
} {
  const { requirements } = run;
  const failed = count(requirements, "fail");
  const complete = isComplete(run);
  if (run.error !== undefined)
    return { outcome: "error", summary: `fxconform itself failed: ${run.error}` };
  if (run.interrupted) {
    const broken = failed === 0 ? "" : `; ${failedText(run)}`;
    return {
      outcome: "interrupted",
      summary: `The run was interrupted: ${judgedText(run)}${broken}.`,
    };
  }
  if (failed > 0) {
    const scope = complete ? "" : `; ${judgedText(run)}`;
    const does =
      run.profile === "contract"
        ? "The document promises something else than the specification"
        : "The server does not conform";
    return { outcome: "nonconformant", summary: `${does}: ${failedText(run)}${scope}.` };
  }
  if (run.untested !== undefined) return { outcome: "inconclusive", summary: run.untested };
  const warned = count(requirements, "warn");
  const warnings = warned === 0 ? "" : `; ${plural(warned, "warning")}`;
  if (count(requirements, "pass") + warned === 0) {
    return {
      outcome: "inconclusive",
      summary: `No requirement could be judged${scopeSuffix(run)}.`,
    };
  }
  const open = notJudged(run);
  if (open.length > 0) return { outcome: "inconclusive", summary: openText(open, run) };
  if (!complete) {
    const nothing = nothingText(run.profile === "contract", warned);
    return { outcome: "partial", summary: `${nothing} in ${judgedText(run, false)}${warnings}.` };
  }
  const { judged, of } = judgedOf(requirements).must;
  const musts =
    judged === of
      ? `all ${of} MUST hold`
      : `${judged} of ${of} MUST hold, and ${noVerdictText(of - judged)}`;
  return { outcome: "conformant", summary: `The server conforms: ${musts}${warnings}.` };
}

/**
 * Every MUST whose missing verdict keeps a full run from a conclusion (INT-57): it has no gap as
 * the reason. Empty for a run that leaves requirements out,
 * as such a run concludes nothing in any case. A document is always a full run in this sense: what
 * hides a MUST there is a keyword that is not valid.
 */
export function notJudged(run: Scope): readonly RequirementResult[] {
  const counts = run.profile === "contract" || isWhole(run);
  return counts ? run.requirements.filter(isNotJudged) : [];
}

function isNotJudged({ level, verdict, gap }: RequirementResult): boolean {
  return level === "MUST" && verdict === "inconclusive" && gap === undefined;
}

/**
 * The summary of a run that left MUSTs open: `No verdict on the server: 2 of 106 MUST could not be
 * judged, and none failed (OPER-20, OPER-21).`
 */
function openText(open: readonly RequirementResult[], { requirements, profile }: Scope): string {
  const { of } = judgedOf(requirements).must;
  const more = open.length > mostNamed ? ` and ${open.length - mostNamed} more` : "";
  const ids = open.slice(0, mostNamed).map(({ id }) => id);
  const what = profile === "contract" ? "document" : "server";
  return `No verdict on the ${what}: ${open.length} of ${of} MUST could not be judged, and none failed (${ids.join(", ")}${more}).`;
}

/** How many requirements the summary names at most. */
const mostNamed = 5;

function nothingText(isDocument: boolean, warned: number): string {
  if (isDocument) return "The document promises nothing else than the specification";
  return warned === 0 ? "No violation found" : "No MUST requirement failed";
}

/**
 * Why the target as a whole was not tested: a reason that the run noted, or the operations that
 * never succeeded, with what the server said at the first of them (`reasonAt`) and a hint on what
 * the user configured. Undefined if it was tested.
 */
export function untestedBy(
  untestable: string | undefined,
  neverSucceeded: readonly OperationName[],
  reasonAt: (operation: OperationName) => string | undefined = () => undefined,
  hint = "",
) {
  if (untestable !== undefined) return `The target could not be tested: ${untestable}`;
  if (neverSucceeded.length === 0) return undefined;
  const places = `No valid request succeeded at ${neverSucceeded.map(operationTitle).join(", ")}.`;
  const [reason = ""] = neverSucceeded.flatMap((operation) => reasonAt(operation) ?? []);
  return [places, reason, hint].filter((text) => text !== "").join(" ");
}

/**
 * Whether a run was to judge every requirement of the catalogue. False for traffic and documents,
 * as they never show all of a server.
 */
function isWhole({ requirements, profile }: Scope): boolean {
  return (
    profile !== "traffic" &&
    profile !== "contract" &&
    requirements.every(({ verdict }) => verdict !== "skip")
  );
}

/**
 * Whether a run was to judge the whole catalogue, and --max-bad-credentials kept no MUST from a
 * verdict (INT-57).
 */
export function isComplete(run: Scope): boolean {
  return isWhole(run) && !run.requirements.some(isForbidden);
}

function isForbidden({ level, gap }: RequirementResult): boolean {
  return level === "MUST" && gap === "bad credentials";
}

/** Whether a run judged any requirement. Other runs are not kept, replayed, pinned or compared. */
export function hasVerdict({ requirements }: Pick<Run, "requirements">): boolean {
  return requirements.some(isJudged);
}

export function judgedOf(requirements: readonly RequirementResult[]): JudgedCounts {
  const share = (level: RequirementResult["level"]): JudgedCounts["must"] => {
    const rows = requirements.filter((row) => row.level === level);
    return { judged: rows.filter(isJudged).length, of: rows.length };
  };
  return { must: share("MUST"), should: share("SHOULD") };
}

/**
 * What is broken: `2 mistakes break 7 of 106 MUST, and 46 more have no verdict`. Requirements that were
 * left out are not counted.
 */
function failedText({ requirements, mistakes }: RunEvidence): string {
  const musts = requirements.filter(({ level, verdict }) => level === "MUST" && verdict !== "skip");
  const open = count(musts, "inconclusive");
  const share = `${count(musts, "fail")} of ${musts.length} MUST`;
  const broken =
    mistakes === undefined
      ? `${share} are broken`
      : `${plural(mistakes, "mistake")} ${mistakes === 1 ? "breaks" : "break"} ${share}`;
  return open > 0 ? `${broken}, and ${noVerdictText(open, "more ")}` : broken;
}

const noVerdictText = (open: number, more = ""): string =>
  `${open} ${more}${open === 1 ? "has" : "have"} no verdict`;

/** How much of the catalogue a run judged: `39 of 119 requirements judged (profile smoke)`. */
export function judgedText(run: Scope, verb = true): string {
  const judged = run.requirements.filter(isJudged).length;
  return `${judged} of ${plural(run.requirements.length, "requirement")}${verb ? " judged" : ""}${scopeSuffix(run)}`;
}

function scopeSuffix(run: Scope): string {
  const text = scopeText(run);
  return text === "" ? "" : ` (${text})`;
}

/**
 * What left requirements out of a run: `profile smoke`, or `--only OPER-02`.
 * Empty if nothing did.
 */
export function scopeText({ requirements, profile, selection }: Scope): string {
  const by = new Set(requirements.map(({ skippedBy }) => skippedBy));
  const words = [
    ...(selection?.only === undefined ? [] : [`--only ${listed(selection.only)}`]),
    ...(selection?.exclude === undefined ? [] : [`--exclude ${listed(selection.exclude)}`]),
  ];
  const selected = words.length > 0 ? words : ["a selection"];
  return [
    ...(by.has("profile") ? [`profile ${profile}`] : []),
    ...(profile === "traffic" ? ["by watching traffic"] : []),
    ...(profile === "contract" ? ["by reading a document"] : []),
    ...(by.has("selection") ? selected : []),
    ...(requirements.some(isForbidden) ? ["--max-bad-credentials"] : []),
  ].join(", ");
}

function listed(words: readonly string[]): string {
  return words.length <= 4
    ? words.join(",")
    : `${words.slice(0, 3).join(",")} and ${words.length - 3} more`;
}

function isJudged({ verdict }: RequirementResult): boolean {
  return verdict !== "skip" && verdict !== "inconclusive";
}

function count(requirements: readonly RequirementResult[], verdict: Verdict): number {
  return requirements.filter((requirement) => requirement.verdict === verdict).length;
}
