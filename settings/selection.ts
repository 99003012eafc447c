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
import { quoted, type Problem, suggestion } from "./problem.ts";

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
  return { where, what: "names neither a requirement nor an area", found: quoted(name), advice };
}
