import { isRefusal, isSuccess, memberOf, type Exchange } from "../../model/exchange.ts";
import { remember } from "../../harness/judging/identities.ts";
import type { BrokenRule } from "../../harness/judging/rules/refusals.ts";

/** What traffic shows of the purposes of its operations, as ACAM items are for EFX operations alone (INT-23). */
export interface Purposes {
  readonly learn: (exchange: Exchange) => void;
  /** The rule that an ACAM item breaks by its operation. */
  readonly brokenBy: (exchange: Exchange) => readonly BrokenRule[];
}

export const createPurposes = (): Purposes => {
  /** The purposes other than EFX, by operation. */
  const others = new Map<string, string>();
  /** The first operation with a purpose whose items were refused. */
  const refused = new Map<string, string>();
  return {
    learn: (exchange) => {
      const id = operationOf(exchange);
      if (id === undefined || exchange.exemptBy !== undefined) return;
      const purpose = exchange.operation === "createOperation" ? otherPurposeOf(exchange) : undefined;
      if (purpose !== undefined) remember(others, id, purpose);
      const known = others.get(id);
      if (exchange.operation === "addAcamItem" && isRefusal(exchange) && known !== undefined && !refused.has(known))
        remember(refused, known, id);
    },
    brokenBy: (exchange) => {
      if (exchange.operation !== "addAcamItem" || exchange.exemptBy !== undefined) return [];
      const id = operationOf(exchange);
      const purpose = id === undefined ? undefined : others.get(id);
      if (purpose === undefined) return [];
      // Once items are refused for a purpose, others show whether the operation in the path decides.
      const isFurther = (refused.get(purpose) ?? id) !== id;
      return [
        {
          change: `for an operation with the purpose ${purpose}`,
          refusal: { requirement: isFurther ? "ACAM-05" : "ACAM-03" },
        },
      ];
    },
  };
};

/** The operation that was created, or that an ACAM item is for. */
const operationOf = ({ operation, json, request }: Exchange): string | undefined => {
  if (operation === "createOperation") {
    const id = memberOf(json, "operation_id");
    return typeof id === "string" ? id : undefined;
  }
  const part = operation === "addAcamItem" ? new URL(request.url).pathname.split("/").at(-2) : undefined;
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
};

/** A purpose that is known not to be EFX: it was returned unchanged, and is no spelling of EFX (INT-36). */
const otherPurposeOf = (exchange: Exchange): string | undefined => {
  const purpose = memberOf(exchange.request.json, "operation_purpose");
  if (!isSuccess(exchange) || typeof purpose !== "string") return undefined;
  const isKept = memberOf(exchange.json, "operation_purpose") === purpose;
  return isKept && purpose.normalize("NFKC").replaceAll(/\s/g, "").toUpperCase() !== "EFX" ? purpose : undefined;
};
