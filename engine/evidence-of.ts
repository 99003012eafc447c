import { defined } from "../model/defined.ts";
import { judgedInSmoke, type RequirementId, requirementIds } from "../spec/catalogue.ts";
import type { RequirementEvidence } from "../model/verdicts.ts";
import type { Finding, SkippedBy } from "../model/run.ts";
import type { FoundViolation } from "../model/evidence.ts";
import type { Collection } from "./collector.ts";
import type { RunOptions } from "../model/run-options.ts";
import { replayLine } from "./replay-line.ts";

/** Why the run ended before it had checked everything: the target could not be tested, or `--bail` stopped it. */
interface Ending {
  readonly untestable: string | undefined;
  readonly bailed: boolean;
}

/** What the run found about each requirement, as `conclusionOf` takes it. */
export const evidenceOf = (
  options: RunOptions,
  collection: Collection,
  { untestable, bailed }: Ending,
): ReadonlyMap<RequirementId, RequirementEvidence> => {
  const { settings } = options;
  const selected = new Set(settings.selection);
  const rows = requirementIds.map((id): [RequirementId, RequirementEvidence] => {
    const reasons = [...(collection.inconclusive.get(id) ?? [])];
    if (untestable !== undefined) reasons.push({ reason: untestable, cutShort: false });
    const held = collection.held.get(id);
    const asked = collection.judged.get(id) ?? 0;
    const findings = collection.findings.filter(({ requirement }) => requirement === id);
    const unchecked = bailed && asked === 0 && findings.length === 0;
    const skipped = skippedBy(id, settings, selected) ?? (unchecked ? "bail" : undefined);
    return [
      id,
      {
        asked,
        tookMs: Math.round(collection.took.get(id) ?? 0),
        findings: findings.map((found) => findingOf(found, options, collection)),
        ...defined({ judgedIn: held?.scenarios, sample: held?.sample }),
        inconclusive: reasons,
        ...defined({ skippedBy: skipped }),
      },
    ];
  });
  return new Map(rows);
};

const skippedBy = (
  id: RequirementId,
  { profile }: RunOptions["settings"],
  selected: ReadonlySet<RequirementId>,
): SkippedBy | undefined => {
  if (!selected.has(id)) return "selection";
  return profile === "smoke" && !judgedInSmoke(id) ? "profile" : undefined;
};

/** A finding as the reports have it, with the command that checks it again. */
export const findingOf = (
  found: FoundViolation,
  options: Pick<RunOptions, "replayCommand">,
  collection: Pick<Collection, "occurrences">,
): Finding => {
  const { pointer, exchange, operation, intent, cause, repeated } = found;
  return {
    message: found.message,
    expected: found.expected,
    actual: found.actual,
    replay: replayLine(found.requirement, options),
    curl: found.curl,
    occurrences: collection.occurrences.get(found.key) ?? 1,
    ...defined({ pointer, exchange, operation, intent, cause }),
    scenario: found.scenario,
    ...defined({ repeated }),
  };
};
