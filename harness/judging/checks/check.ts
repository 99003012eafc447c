import type { RequirementId } from "../../../spec/catalogue.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { windowOf, type Exchange, type Json } from "../../../model/exchange.ts";
import type { Judgement, Violation } from "../../../model/finding.ts";
import type { Identities } from "../identities.ts";
import type { ResponseSchemas } from "../response-schemas.ts";

export type { Judgement, Violation as Violated };

/** What the run knows besides the exchange. */
export interface Knowledge {
  readonly schemas: ResponseSchemas;
  readonly identities: Identities;
}

/** A standing check: judges every exchange it applies to, from nothing but its arguments. */
export interface Check {
  /** What it can judge, and on which operations; `list` and the selection read it. */
  readonly judges: readonly { readonly requirement: RequirementId; readonly operations: readonly OperationName[] }[];
  readonly judge: (exchange: Exchange, known: Knowledge) => readonly Judgement[];
}

export const holds = (requirement: RequirementId): Judgement => ({ requirement });

export const broken = (requirement: RequirementId, violation: Violation): Judgement => ({ requirement, violation });

/** A JSON value for a person. What is long is cut to a line only after secrets were taken out of it. */
export const shown = (value: Json | undefined): string => {
  if (value === undefined) return "absent";
  return windowOf(safeJson(typeof value === "string" ? windowOf(value) : value));
};

/** A value can be nested deeper than the stack. */
const safeJson = (value: Json): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? "[…]" : "{…}";
  }
};
