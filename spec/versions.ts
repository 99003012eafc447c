import { catalogue, type RequirementId } from "./catalogue.ts";

/** A requirement and the version of fxconform that added it. */
export interface DatedRequirement {
  readonly requirement: RequirementId;
  /** Three numbers: `0.2.0`. */
  readonly since: string;
}

const all: readonly DatedRequirement[] = Object.entries(catalogue).map(([id, { since }]) => ({
  requirement: id as RequirementId,
  since,
}));

/** The versions that added requirements, the oldest first. */
export const catalogueVersions = (rows: readonly DatedRequirement[] = all): readonly string[] =>
  [...new Set(rows.map(({ since }) => since))].toSorted(order);

/** The requirements that were added after a version. */
export const addedAfter = (version: string, rows: readonly DatedRequirement[] = all): readonly DatedRequirement[] =>
  rows.filter(({ since }) => order(since, version) > 0);

/** Compares major, minor and patch as numbers: 0.10.0 comes after 0.9.0. */
function order(one: string, other: string): number {
  const [a, b] = [one.split(".").map(Number), other.split(".").map(Number)];
  return a.map((number, index) => number - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
