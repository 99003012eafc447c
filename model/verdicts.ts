import { catalogue, requirementIds, type Level, type RequirementId } from "../spec/catalogue.ts";
import type { NoVerdict, RequirementResult, SkippedBy, Verdict } from "./run.ts";

/** What a run found out about one requirement. */
export interface RequirementEvidence extends Pick<
  RequirementResult,
  "asked" | "tookMs" | "judgedIn" | "sample" | "findings" | "skippedBy"
> {
  readonly inconclusive: readonly NoVerdict[];
}

/** The result of every requirement of the catalogue, in its order. One without evidence is inconclusive. */
export const requirementResults = (
  evidence: ReadonlyMap<RequirementId, RequirementEvidence>,
): readonly RequirementResult[] =>
  requirementIds.map((id): RequirementResult => {
    const { area, level, statement, source } = catalogue[id];
    const row = { id, area, level, statement, source };
    const found = evidence.get(id) ?? { asked: 0, findings: [], inconclusive: [] };
    const { skippedBy, asked, findings, inconclusive: _, ...more } = found;
    if (skippedBy !== undefined) {
      return { ...row, asked: 0, verdict: "skip", reason: skipReasons[skippedBy], skippedBy, findings: [] };
    }
    return { ...row, asked, ...verdictOf(level, found), ...more, findings };
  });

const skipReasons = {
  selection: "left out by --only or --exclude",
  profile: "left out by the profile smoke, which creates nothing",
  traffic: "the traffic did not show it",
  bail: "not checked: the run stopped at a failed requirement (--bail)",
} as const satisfies Record<SkippedBy, string>;

/** A violation decides. A pass needs a check that could have failed. */
const verdictOf = (level: Level, found: RequirementEvidence): { verdict: Verdict; reason?: string } => {
  if (found.findings.length > 0) return { verdict: level === "MUST" ? "fail" : "warn" };
  const cut = found.inconclusive.find(({ cutShort }) => cutShort);
  if (cut !== undefined) return { verdict: "inconclusive", reason: cut.reason };
  if (found.asked > 0) return { verdict: "pass" };
  const reason = found.inconclusive[0]?.reason ?? "no response showed whether the server meets it";
  return { verdict: "inconclusive", reason };
};
