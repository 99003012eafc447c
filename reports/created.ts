import { createdKinds, type CreatedKind, type Run } from "../model/run.ts";
import { plain } from "./sanitize.ts";

/**
 * How many resources a run created. Resources without an id that a request could name count too.
 */
export function createdCount({ createdCounts }: Pick<Run, "createdCounts">): number {
  return Object.values(createdCounts).reduce((sum, count) => sum + count, 0);
}

/** What a run created: how many, how many of them without an id, and up to 200 ids of each kind. */
export interface CreatedShown {
  readonly count: number;
  readonly withoutId: number;
  readonly kinds: readonly {
    readonly kind: CreatedKind;
    readonly count: number;
    readonly ids: readonly string[];
    readonly left: number;
  }[];
}

const mostIds = 200;

export function createdList(run: Run): CreatedShown {
  const ofKind = (wanted: CreatedKind) => run.created.filter(({ kind }) => kind === wanted);
  return {
    count: createdCount(run),
    withoutId: run.createdWithoutId ?? 0,
    kinds: createdKinds.flatMap((kind) => {
      const count = run.createdCounts[kind] ?? 0;
      const all = ofKind(kind);
      const ids = all.slice(0, mostIds).map(({ id }) => plain(id, 120));
      return count === 0 ? [] : [{ kind, count, ids, left: all.length - ids.length }];
    }),
  };
}
