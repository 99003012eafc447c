import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import type { RequirementEvidence } from "../model/rollup.ts";
import type { Finding } from "../model/run.ts";
import type { FoundViolation } from "../model/evidence.ts";
import type { Collection } from "./collector.ts";
import { inSmoke } from "./smoke.ts";
import type { RunOptions } from "./options.ts";

/** What the run found about each requirement, in the shape that the roll-up takes. */
export const evidenceOf = (
  options: RunOptions,
  collection: Collection,
  untestable: string | undefined,
): ReadonlyMap<RequirementId, RequirementEvidence> => {
  const selected = new Set(options.settings.selection);
  const rows = requirementIds.map((id): [RequirementId, RequirementEvidence] => {
    const reasons = [...(collection.inconclusive.get(id) ?? [])];
    if (untestable !== undefined) reasons.push({ reason: untestable, cutShort: false });
    const leftOut = leftOutReason(id, options, selected);
    return [
      id,
      {
        asked: collection.asked.get(id) ?? 0,
        tookMs: Math.round(collection.took.get(id) ?? 0),
        findings: collection.findings
          .filter(({ requirement }) => requirement === id)
          .map((found) => findingOf(found, options, collection)),
        inconclusive: reasons,
        ...(leftOut === undefined ? {} : { leftOut }),
      },
    ];
  });
  return new Map(rows);
};

/** Why a run that asks a part of the selection skips what the other parts ask. */
export const askedElsewhere = "left to another part of the run by --shard";

const leftOutReason = (
  id: RequirementId,
  { settings, shard }: RunOptions,
  selected: ReadonlySet<RequirementId>,
): string | undefined => {
  const elsewhere = shard?.elsewhere.includes(id) === true;
  if (!selected.has(id) && !elsewhere) return "left out by --only or --exclude";
  if (settings.profile === "smoke" && !inSmoke(id)) return "left out by the profile smoke, which creates nothing";
  return elsewhere ? askedElsewhere : undefined;
};

const findingOf = (found: FoundViolation, options: RunOptions, collection: Collection): Finding => ({
  message: found.message,
  expected: found.expected,
  actual: found.actual,
  replay: replayOf(found, options),
  curl: found.curl,
  occurrences: collection.occurrences.get(found.key) ?? 1,
  ...(found.pointer === undefined ? {} : { pointer: found.pointer }),
  ...(found.exchange === undefined ? {} : { exchange: found.exchange }),
  ...(found.operation === undefined ? {} : { operation: found.operation }),
  ...(found.repeated === undefined ? {} : { repeated: found.repeated }),
});

/** The scenario that found it is named too where a standing check made the finding. */
const replayOf = (found: FoundViolation, { replayCommand = "run", replayArguments, settings }: RunOptions): string => {
  const [scenario] = found.scenario.includes(found.requirement) ? [] : found.scenario;
  const only = [found.requirement, ...(scenario === undefined ? [] : [scenario])].join(",");
  return `fxconform ${replayCommand} --only ${only} --seed ${settings.seed}${replayArguments === "" ? "" : ` ${replayArguments}`}`;
};
