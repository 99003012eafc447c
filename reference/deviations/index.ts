import type { RequirementId } from "../../spec/catalogue.ts";
import { acam } from "./acam.ts";
import { batch } from "./batch.ts";
import { counterparty } from "./counterparty.ts";
import { crashes } from "./crashes.ts";
import { authorization } from "./authorization.ts";
import type { Deviation } from "./deviation.ts";
import { refusals } from "./errors.ts";
import { gatewaysAndConnections } from "./gateways.ts";
import { idsAndTimes } from "./ids-and-times.ts";
import { json } from "./json.ts";
import { ofKinds } from "./kinds.ts";
import { limits } from "./limits.ts";
import { list } from "./list.ts";
import { operation } from "./operation.ts";
import { operationRequests } from "./operation-requests.ts";
import { token } from "./token.ts";

/**
 * All deviations, by endpoint and theme. Two legal ones of one theme may hide each other, so that a
 * check never runs them on one server.
 */
export const themes = {
  token,
  authorization,
  counterparty,
  operation,
  operationRequests,
  acam,
  batch,
  list,
  refusals,
  json,
  crashes,
  idsAndTimes,
  ofKinds,
  limits,
  gatewaysAndConnections,
} as const satisfies Readonly<Record<string, readonly Deviation[]>>;

export const deviations: readonly Deviation[] = Object.values(themes).flat();

/** A deviation that breaks a requirement. */
export type Fault = Deviation & { readonly breaks: RequirementId };

export const faults: readonly Fault[] = deviations.filter(
  (one): one is Fault => one.breaks !== undefined,
);

/** The legal deviations. */
export const variants: readonly Deviation[] = deviations.filter(
  ({ breaks }) => breaks === undefined,
);

/** Whether one server can have both deviations: they are different, and share no group. */
export function areCompatible(one: Deviation, other: Deviation): boolean {
  const groups = [one, other].map(({ group = [] }) => [group].flat());
  return one.id !== other.id && groups[0]?.some((name) => groups[1]?.includes(name)) === false;
}

export type { Deviation } from "./deviation.ts";
