import { program } from "./command-line.ts";
import {
  areas,
  isRequirementId,
  judgedInSmoke,
  type RequirementId,
  requirementIds,
  requirementsIn,
} from "../spec/catalogue.ts";
import { isQuestionId } from "../spec/questions.ts";
import type { Problem } from "./problem.ts";
import { suggestion } from "./suggestion.ts";

/** Names of requirements and areas, and where they were given. */
export interface Names {
  readonly value: readonly string[];
  readonly where: string;
}

/** What a run checks. */
export interface Selected {
  readonly selection: readonly RequirementId[];
  readonly problems: readonly Problem[];
}

/** The requirements that `--only` and `--exclude` leave, in the order of the catalogue. */
export function selectionOf(given: {
  readonly only?: Names | undefined;
  readonly exclude?: Names | undefined;
}): Selected {
  const problems: Problem[] = [];
  const idsOf = ({ value, where }: Names): ReadonlySet<RequirementId> =>
    new Set(
      value.flatMap((name) => {
        const ids = requirementsNamed(name);
        if (ids === undefined) problems.push(unknownName(name, where));
        return ids ?? [];
      }),
    );
  const only = given.only === undefined ? new Set(requirementIds) : idsOf(given.only);
  const exclude = given.exclude === undefined ? new Set<RequirementId>() : idsOf(given.exclude);
  const selection = requirementIds.filter((id) => only.has(id) && !exclude.has(id));
  if (selection.length === 0 && problems.length === 0) {
    const where = given.exclude?.where ?? given.only?.where ?? "--only";
    problems.push({ where, what: "leaves no requirement to check", advice: `${program} list shows all of them.` });
  }
  return { selection, problems };
}

/** The requirements that an id or an area names, whatever its letter case; undefined if it names none. */
export function requirementsNamed(name: string): readonly RequirementId[] | undefined {
  const id = name.toUpperCase();
  if (isRequirementId(id)) return [id];
  const area = areas.find((one) => one === name.toLowerCase());
  return area === undefined ? undefined : requirementsIn(area);
}

/** The problem of a selection in which profile smoke can check nothing. */
export const nothingForSmoke = (selection: readonly RequirementId[], where: string): readonly Problem[] =>
  selection.length === 0 || selection.some(judgedInSmoke)
    ? []
    : [
        {
          where,
          what: "leaves no requirement that profile smoke can check",
          advice: "Use profile full, or select others.",
        },
      ];

function unknownName(name: string, where: string): Problem {
  const advice = isQuestionId(name.toUpperCase())
    ? "Open questions are observed in every run; name a requirement or an area."
    : (suggestion(name, [...areas, ...requirementIds]) ?? `${program} list shows all ids and areas.`);
  return { where, what: "names neither a requirement nor an area", found: name, advice };
}
