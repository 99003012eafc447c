import { defined } from "../model/defined.ts";
import { judgedInSmoke, type RequirementId, requirementIds } from "../spec/catalogue.ts";
import type { RequirementEvidence } from "../model/verdicts.ts";
import type { SkippedBy } from "../model/run.ts";
import type { Collection } from "./collector.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { Judged } from "./judgements.ts";

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
    const { asked, inconclusive, ...judged } = collection.judged.get(id) ?? notJudged;
    const unchecked = bailed && asked === 0;
    return [
      id,
      {
        asked,
        tookMs: Math.round(collection.took.get(id) ?? 0),
        ...judged,
        inconclusive: [...inconclusive, ...(untestable === undefined ? [] : [{ reason: untestable, cutShort: false }])],
        ...defined({ skippedBy: skippedBy(id, settings, selected) ?? (unchecked ? "bail" : undefined) }),
      },
    ];
  });
  return new Map(rows);
};

/** A requirement of which the worker sent nothing. */
export const notJudged: Judged = { asked: 0, findings: [], inconclusive: [] };

const skippedBy = (
  id: RequirementId,
  { profile }: RunOptions["settings"],
  selected: ReadonlySet<RequirementId>,
): SkippedBy | undefined => {
  if (!selected.has(id)) return "selection";
  return profile === "smoke" && !judgedInSmoke(id) ? "profile" : undefined;
};
