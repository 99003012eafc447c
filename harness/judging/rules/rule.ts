import type { RequirementId } from "../../../spec/catalogue.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { isObject, requestText, windowOf, type Exchange, type Json } from "../../../model/exchange.ts";
import type { Judgement, Violation } from "../../../model/finding.ts";
import type { Identities } from "../identities.ts";
import type { ResponseSchemas } from "../response-schemas.ts";

/** What the run knows besides the exchange. */
export interface Knowledge {
  readonly schemas: ResponseSchemas;
  readonly identities: Identities;
}

/**
 * A standing check: a pure function that judges every exchange that it applies to. The rows of the catalogue say which
 * requirements it may judge, and on which operations.
 */
export type Check = (exchange: Exchange, known: Knowledge) => readonly Judgement[];

export const holds = (requirement: RequirementId): Judgement => ({ requirement });

export const broken = (requirement: RequirementId, violation: Violation): Judgement => ({ requirement, violation });

/**
 * Where a finding was made: `POST /batches`, or `POST /batches, for a request with an unknown member` where the request
 * was not an ordinary valid one. Different requests give different findings.
 */
export const titleOf = ({ operation, intent }: Exchange): string =>
  intent.kind === "valid" ? operationTitle(operation) : `${operationTitle(operation)}, for ${requestText(intent)}`;

/** The class of a JSON value, for the cause of a violation. */
export const classOf = (value: Json | undefined): string =>
  value === undefined
    ? "absent"
    : value === null
      ? "null"
      : Array.isArray(value)
        ? "an array"
        : isObject(value)
          ? "an object"
          : `a ${typeof value}`;

/** A JSON value for a person. Its size is bounded here; it is cut to a line only after redaction. */
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
