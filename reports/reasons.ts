import type { RequirementResult, Run, Verdict } from "../model/run.ts";
import { groups } from "./groups.ts";

/** Why a requirement is inconclusive or skipped. */
export const reasonOf = ({ reason }: RequirementResult): string => reason ?? "no reason was recorded";

/** The requirements with a verdict, grouped by the reason for it. */
export const byReason = (
  { requirements }: Pick<Run, "requirements">,
  verdict: Verdict,
): readonly (readonly [reason: string, rows: readonly RequirementResult[]])[] => [
  ...groups(
    requirements.filter((row) => row.verdict === verdict),
    reasonOf,
  ),
];
