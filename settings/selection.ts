import { program } from "./command-line.ts";
import {
  areas,
  isRequirementId,
  judgedInSmoke,
  requirementIds,
  requirementsIn,
} from "../spec/catalogue.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { isQuestionId } from "../spec/questions.ts";
import type { Problem } from "./problem.ts";

interface Names {
  readonly value: readonly string[];
  readonly where: string;
}

/**
 * The requirements that `--only` and `--exclude` leave, in the order of the catalogue, and what is
 * wrong with these options.
 */
export function selectionOf({
  only,
  exclude,
}: Readonly<Partial<Record<"only" | "exclude", Names | undefined>>>) {
  const problems: Problem[] = [];
  const idsOf = ({ value, where }: Names): readonly RequirementId[] =>
    value.flatMap((name) => {
      const ids = requirementsNamed(name);
      if (ids === undefined) problems.push(unknownName(name, where));
      return ids ?? [];
    });
  const wanted = new Set(only === undefined ? requirementIds : idsOf(only));
  const unwanted = new Set(exclude === undefined ? [] : idsOf(exclude));
  const selection = requirementIds.filter((id) => wanted.has(id) && !unwanted.has(id));
  if (selection.length === 0 && problems.length === 0) {
    const where = exclude?.where ?? only?.where ?? "--only";
    problems.push({
      where,
      what: "leaves no requirement to check",
      advice: `${program()} list shows all of them.`,
    });
  }
  return { selection, problems };
}

/**
 * The requirements that an id or an area names, in any letter case. Undefined if nothing has that
 * name.
 */
export function requirementsNamed(name: string): readonly RequirementId[] | undefined {
  const id = name.toUpperCase();
  if (isRequirementId(id)) return [id];
  const area = areas.find((one) => one === name.toLowerCase());
  return area === undefined ? undefined : requirementsIn(area);
}

export function nothingForSmoke(
  selection: readonly RequirementId[],
  where: string,
): readonly Problem[] {
  if (selection.length === 0 || selection.some(judgedInSmoke)) return [];
  const advice = "Use profile full, or select others.";
  return [{ where, what: "leaves no requirement that profile smoke can check", advice }];
}

function unknownName(name: string, where: string): Problem {
  const advice = isQuestionId(name.toUpperCase())
    ? "Open questions are observed in every run; name a requirement or an area."
    : (suggestion(name, [...areas, ...requirementIds]) ??
      `${program()} list shows all ids and areas.`);
  return { where, what: "names neither a requirement nor an area", found: name, advice };
}

/**
 * The word that a misspelt or shortened one most likely means. Undefined if no candidate is near.
 * Letter case does not matter.
 */
export function nearest<W extends string>(word: string, candidates: readonly W[]): W | undefined {
  const wanted = word.toLowerCase();
  const bound = Math.max(1, Math.floor(wanted.length / 3));
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance);
  const begun = candidates.find(
    (candidate) => wanted.length > 2 && candidate.toLowerCase().startsWith(wanted),
  );
  return best?.candidate ?? begun;
}

export function suggestion(word: string, candidates: readonly string[]): string | undefined {
  const near = nearest(word, candidates);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

/**
 * The number of edits between two words. Swapping two letters counts as one edit (optimal string
 * alignment).
 */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
