import { actualText, expectedText } from "../../reports/failures.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Finding, RequirementResult, Run } from "../../model/run.ts";
import { exitCodes } from "../output/exit-code.ts";
import type { Result } from "./reporting.ts";
import { causeKeyOf } from "../../model/causes.ts";
import { isInSummary } from "../../model/outcome.ts";
import type { RequirementId } from "../../spec/catalogue.ts";

/** What became of a failure. `unreachable`: this run could not judge the requirement. */
type Fate = "fixed" | "still failing" | "another cause" | "unreachable";

/** A line with the result for each failure, and the exit code: 0 only if all are fixed. */
export function replayResult(failed: readonly RequirementResult[], run: Run): Result {
  const rows = failed.map((before) => rowOf(before, run));
  const count = (fate: Fate): number => rows.filter((row) => row.fate === fate).length;
  const counts = fates.filter((fate) => count(fate) > 0).map((fate) => `${count(fate)} ${fate}`);
  const usesToken =
    run.tokenCommand !== undefined && rows.some(({ finding }) => finding !== undefined && finding.curl !== "");
  const text = [
    ...(usesToken ? [labelled("token", run.tokenCommand), ""] : []),
    ...rows.flatMap(({ lines }) => lines),
    "",
    ...(rows.some(({ isUntested }) => isUntested) ? [plain(run.summary, 1000)] : []),
    counts.join(", "),
  ].join("\n");
  return { text: `${text}\n`, code: codeOf(run, count) };
}

const fates = ["fixed", "still failing", "another cause", "unreachable"] as const satisfies readonly Fate[];

function codeOf({ outcome }: Run, count: (fate: Fate) => number): number {
  if (outcome === "error") return exitCodes.error;
  if (outcome === "interrupted") return exitCodes.interrupted;
  if (count("still failing") + count("another cause") > 0) return exitCodes.fail;
  return count("unreachable") > 0 ? exitCodes.inconclusive : exitCodes.pass;
}

interface Row {
  readonly fate: Fate;
  /** What this run found. */
  readonly finding: Finding | undefined;
  /** The summary of this run is why there is no verdict. */
  readonly isUntested: boolean;
  readonly lines: readonly string[];
}

function rowOf(before: RequirementResult, run: Run): Row {
  const after = run.requirements.find(({ id }) => id === before.id);
  const fate = fateOf(before, after);
  const [earlier, finding] = shownOf(before, after);
  const reason = fate === "unreachable" ? (after?.reason ?? run.summary) : "";
  const isUntested = reason !== "" && isInSummary(run, reason);
  const details = [
    ["reason", isUntested ? "" : reason],
    ["before", fate === "another cause" ? (earlier?.message ?? "") : ""],
    ["was", fate === "another cause" && earlier !== undefined ? actualText(earlier) : ""],
    ["finding", finding?.message ?? ""],
    ["expected", finding === undefined ? "" : expectedText(finding)],
    ["actual", finding === undefined ? "" : actualText(finding)],
    ["request", finding?.curl ?? ""],
  ] as const;
  const lines = [
    `${before.id.padEnd(9)} ${fate.padEnd(13)} ${plain(before.statement)}`,
    ...details.flatMap(([label, text]) => (text === "" ? [] : [labelled(label, text)])),
  ];
  return { fate, finding, isUntested, lines };
}

const labelled = (label: string, text: string): string => `  ${label.padEnd(9)} ${plain(text, 2000)}`;

function fateOf(before: RequirementResult, after: RequirementResult | undefined): Fate {
  if (after?.verdict === "pass") return "fixed";
  if (after === undefined || after.findings.length === 0) return "unreachable";
  const [earlier, finding] = shownOf(before, after);
  const isKnown = earlier !== undefined && finding !== undefined && isSame(before.id, earlier, finding);
  return isKnown ? "still failing" : "another cause";
}

/** A finding of each run: two with the same cause if there are such, else the first ones. */
function shownOf(
  before: RequirementResult,
  after: RequirementResult | undefined,
): readonly [earlier: Finding | undefined, finding: Finding | undefined] {
  for (const finding of after?.findings ?? []) {
    const earlier = before.findings.find((one) => isSame(before.id, one, finding));
    if (earlier !== undefined) return [earlier, finding];
  }
  return [before.findings[0], after?.findings[0]];
}

/** Samples and ids may differ in expected and actual; the kind of the request and the cause do not. */
const isSame = (id: RequirementId, one: Finding, other: Finding): boolean =>
  one.intent === other.intent && causeKeyOf(id, one) === causeKeyOf(id, other);
