import type { Witness } from "../evidence/witness.ts";
import { mistakeKey } from "../mistake.ts";
import type { Finding, RequirementResult } from "../run.ts";
import { consequences } from "./consequences.ts";
import { earlierResources } from "./earlier-resources.ts";
import { missingTogether } from "./missing-members.ts";
import { joinedCrashes } from "./crashes.ts";
import { mixedUp } from "./mixed-up.ts";
import type { RootRule, Roots } from "./root-rule.ts";

const rules: readonly RootRule[] = [
  joinedCrashes,
  consequences,
  mixedUp,
  earlierResources,
  missingTogether,
];

/** Which mistakes are reported as part of others. Of two rules that find a root, the first one wins. */
export function rootsOf(
  requirements: readonly RequirementResult[],
  witness: Witness | undefined,
): Roots {
  if (witness === undefined) return new Map();
  const seen = [...witness.mistakes].map(([key, { mistake, responses }]) => ({
    key,
    mistake,
    requests: [...responses].flatMap((id) => witness.requests.get(id) ?? []),
  }));
  const sent = [...witness.requests.values()];
  return new Map(rules.toReversed().flatMap((rule) => [...rule(seen, sent)]));
}

/** The requirements, whose findings name the mistakes as part of which they are reported. */
export function withRoots(
  requirements: readonly RequirementResult[],
  roots: Roots,
): readonly RequirementResult[] {
  if (roots.size === 0) return requirements;
  return requirements.map((row) => ({
    ...row,
    findings: row.findings.map((finding): Finding => {
      const root = roots.get(mistakeKey(finding.mistake));
      if (root === undefined) return finding;
      const { mistake: partOf, isConsequence } = root;
      return { ...finding, partOf, ...(isConsequence === true && { isConsequence }) };
    }),
  }));
}
