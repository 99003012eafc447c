import { operations, withPredecessors, type OperationName } from "./operations.ts";
import { type Area, type Requirement } from "./requirement.ts";
import type { Section } from "./sections.ts";
import { acam } from "./requirements/acam.ts";
import { auth } from "./requirements/auth.ts";
import { batches } from "./requirements/batches.ts";
import { counterparty } from "./requirements/counterparty.ts";
import { operation } from "./requirements/operation.ts";
import { transport } from "./requirements/transport.ts";
import { interpretationIds, type InterpretationId } from "./interpretations.ts";
import { prose } from "./prose.ts";
import { questionIds } from "./questions.ts";

/** Every requirement by its permanent id. An id is never reused or renumbered. */
export const catalogue = {
  ...auth,
  ...counterparty,
  ...operation,
  ...acam,
  ...batches,
  ...transport,
} as const;

/** The id of a requirement; an id that is not in the catalogue does not compile. */
export type RequirementId = keyof typeof catalogue;

/** All ids in the order of the catalogue, which is the order of every report. */
export const requirementIds = Object.keys(catalogue) as readonly RequirementId[];

export const requirementOf = (id: RequirementId): Requirement => catalogue[id];
export const isRequirementId = (id: string): id is RequirementId => Object.hasOwn(catalogue, id);

export function requirementsIn(area: Area): readonly RequirementId[] {
  return requirementIds.filter((id) => catalogue[id].area === area);
}

/**
 * The operations on whose exchanges the standing checks judge a requirement. Empty if only a
 * sequence of requests shows the requirement.
 */
export function standingOperations(id: RequirementId): readonly OperationName[] {
  const row = requirementOf(id);
  return row.shows === "every exchange" ? row.operations : [];
}

/** Every operation that must be sent to judge a requirement, in the order of the specification. */
export function neededOperations(id: RequirementId): readonly OperationName[] {
  const row = requirementOf(id);
  return withPredecessors([...row.operations, ...row.needs]);
}

/**
 * Whether a requirement can only be judged with a customer, because a path that it needs has
 * `{customer_id}`.
 */
export function needsCustomer(id: RequirementId): boolean {
  return neededOperations(id).some((name) => operations[name].path.includes("{customer_id}"));
}

/** Whether the profile `smoke`, which creates nothing, can judge a requirement. */
export function judgedInSmoke(id: RequirementId): boolean {
  const createsNothing = (name: OperationName): boolean => !operations[name].creates;
  if (requirementOf(id).onlyFull === true) return false;
  return standingOperations(id).some(createsNothing) || neededOperations(id).every(createsNothing);
}

export { areas } from "./requirement.ts";
export type { Area, Basis, Level, Requirement } from "./requirement.ts";

/**
 * Returns what a section of the specification is about, and the requirements, interpretations and
 * open questions that have the section as their source.
 */
export function coverageOf(section: Section) {
  return {
    requirements: requirementIds.filter((id) => catalogue[id].source === section),
    interpretations: interpretationIds.filter((id) => prose.interpretations[id].source === section),
    questions: questionIds.filter((id) => prose.questions[id].source === section),
    ...prose.sections[section],
  };
}

export function requirementsOf(interpretation: InterpretationId): readonly RequirementId[] {
  return requirementIds.filter((id) => catalogue[id].interpretations.includes(interpretation));
}
