import { plural } from "../model/plural.ts";
import type { Run } from "../model/run.ts";

/**
 * How many resources a run created. Resources without an id that a request could name count too.
 */
export function createdCount({ createdCounts }: Pick<Run, "createdCounts">): number {
  return Object.values(createdCounts).reduce((sum, count) => sum + count, 0);
}

/** What a run created, in words: `91 resources created, 7 of them without a usable id`. */
export function createdText(run: Pick<Run, "createdCounts" | "createdWithoutId">): string {
  const count = createdCount(run);
  const without = run.createdWithoutId ?? 0;
  const all = `${plural(count, "resource")} created`;
  if (without === 0) return all;
  return `${all}, ${without === count ? "" : `${without} of them `}without a usable id`;
}
