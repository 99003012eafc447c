import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/finding.ts";
import { broken, holds } from "../../harness/judging/rules/rule.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { BrokenRule } from "../../harness/judging/rules/refusals.ts";
import type { Facts, KnownOperation } from "./facts.ts";

/** The purpose that ACAM items need (specification, Endpoints, 4). */
const efx = "EFX";

/** The operation that an ACAM item is for, from the path. */
const operationOf = (exchange: Exchange): string | undefined => {
  const part = new URL(exchange.request.url).pathname.split("/").at(-2);
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
};

/**
 * Whether the purpose is known not to be EFX: it was returned unchanged, and is no spelling of EFX (INT-23, INT-36).
 */
const isOther = (known: KnownOperation): boolean =>
  known.isEchoed && known.purpose.normalize("NFKC").replaceAll(/\s/g, "").toUpperCase() !== efx;

/** The rule that an ACAM item breaks by its operation, if the traffic shows the purpose of that operation. */
export const purposeRules = (exchange: Exchange, facts: Facts): readonly BrokenRule[] => {
  if (exchange.operation !== "addAcamItem" || exchange.exemptBy !== undefined) return [];
  const id = operationOf(exchange);
  const known = id === undefined ? undefined : facts.operation(id);
  return known !== undefined && isOther(known)
    ? [{ change: `for an operation with the purpose ${known.purpose}`, refusal: { requirement: "ACAM-03" } }]
    : [];
};

/** Judges what only several ACAM items show together. */
export interface PurposeCheck {
  readonly judge: (exchange: Exchange) => readonly Judgement[];
}

/**
 * Whether the operation in the path decides (specification, Endpoints, 4; INT-23): after an item was refused for a
 * purpose, no other item may be accepted for it.
 */
export const createPurposeCheck = (facts: Facts): PurposeCheck => {
  const refused = new Set<string>();
  return {
    judge: (exchange) => {
      const id = exchange.operation === "addAcamItem" ? operationOf(exchange) : undefined;
      const known = id === undefined ? undefined : facts.operation(id);
      if (known === undefined) return [];
      if (isOther(known) && isRefusal(exchange)) refused.add(known.purpose);
      if (!isSuccess(exchange)) return [];
      if (isOther(known)) return refused.has(known.purpose) ? [blame(exchange, known.purpose)] : [];
      return known.purpose === efx && refused.size > 0 ? [holds("ACAM-05")] : [];
    },
  };
};

const blame = (exchange: Exchange, purpose: string): Judgement =>
  broken("ACAM-05", {
    message: `${operationTitle(exchange.operation)}: items for operations with the purpose ${purpose} are refused, and one is accepted.`,
    expected: "a refusal, as for other operations with this purpose",
    actual: `status ${messageOf(exchange)}`,
    cause: { expected: "the operation in the path decides", actual: "an item is accepted" },
  });
