import type { Area, Requirement } from "./requirement.ts";
import { acam } from "./requirements/acam.ts";
import { auth } from "./requirements/auth.ts";
import { batches } from "./requirements/batches.ts";
import { counterparty } from "./requirements/counterparty.ts";
import { operation } from "./requirements/operation.ts";
import { transport } from "./requirements/transport.ts";

/** Every requirement by its permanent id. An id is never reused or renumbered. */
export const catalogue = { ...auth, ...counterparty, ...operation, ...acam, ...batches, ...transport } as const;

/** The id of a requirement; an id that is not in the catalogue does not compile. */
export type RequirementId = keyof typeof catalogue;

/** All ids in the order of the catalogue, which is the order of every report. */
export const requirementIds = Object.keys(catalogue) as readonly RequirementId[];

/** The row of a requirement. */
export const requirementOf = (id: RequirementId): Requirement => catalogue[id];

/** True where `id` names a requirement. */
export const isRequirementId = (id: string): id is RequirementId => Object.hasOwn(catalogue, id);

/** The ids of an area, in order. */
export const requirementsIn = (area: Area): readonly RequirementId[] =>
  requirementIds.filter((id) => catalogue[id].area === area);

export { areas } from "./requirement.ts";
export type { Area, Basis, Level, Requirement } from "./requirement.ts";
