import { isObject, memberOf } from "../../../spec/json.ts";
import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { noVerdict } from "../../../model/judgement.ts";
import { requirementIds, type RequirementId } from "../../../spec/catalogue.ts";
import { operationNames, operationTitle, type OperationName } from "../../../spec/operations.ts";
import { elementsOf, isOurs, readingOf, type BodyValue } from "./members.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { successes, type MemberFact, type TypedPlace } from "./successes.ts";

/**
 * Says for which requirements on members there was nothing to judge, because every success left
 * these members out (INT-07, INT-57).
 */
export const absence: Rule = {
  decides: [],
  create: (known) => {
    const shown = new Set<RequirementId>();
    /** Requirements whose member was present, but with a value that cannot be compared. */
    const unreadable = new Set<RequirementId>();
    const seen = new Set<OperationName>();
    return {
      judge: (exchange) => {
        if (!isReadable(exchange)) return [];
        seen.add(exchange.operation);
        const undecided = rowsOf(exchange.operation).filter(
          ({ requirement }) => !shown.has(requirement),
        );
        for (const place of undecided) {
          if (showsPlace(exchange, place, known)) shown.add(place.requirement);
          else if (holdsSomething(exchange, place, known)) unreadable.add(place.requirement);
        }
        return [];
      },
      unmet: () =>
        requirementIds
          .filter((requirement) => !shown.has(requirement))
          .flatMap((requirement) => {
            const operations = operationNames.filter(
              (name) => seen.has(name) && nameOf(requirement, name) !== undefined,
            );
            return operations.length === 0
              ? []
              : [
                  noVerdict(
                    requirement,
                    textOf(requirement, operations, unreadable.has(requirement)),
                    "optional member",
                  ),
                ];
          }),
    };
  },
};

/**
 * Whether a success has what a requirement is about: a value at its place and, for an echo, a value
 * in the request.
 */
function showsPlace(
  exchange: Exchange,
  place: TypedPlace | MemberFact,
  known: RuleContext,
): boolean {
  const shows = (isShown: (found: BodyValue) => boolean): boolean =>
    hasValueAt(exchange, place, known, isShown);
  if (!("rule" in place))
    return shows(({ value }) => (place.isInside ? isObject(value) : value !== undefined));
  const { repeats, isRight } = place;
  if (isRight !== undefined)
    return shows((found) => readingOf(place, found, exchange).kind !== "open");
  if (repeats === undefined) return shows(() => true);
  const wasSent = memberOf(exchange.request.json, repeats) !== undefined;
  return wasSent && shows(({ value }) => value !== undefined);
}

/** Whether a success has any value at the place of a fact with `isRight`. False for other rows. */
function holdsSomething(
  exchange: Exchange,
  place: TypedPlace | MemberFact,
  known: RuleContext,
): boolean {
  if (!("rule" in place) || place.isRight === undefined) return false;
  return hasValueAt(exchange, place, known, ({ value }) => value !== undefined);
}

/**
 * Whether any value of a success at the place of a row is as wanted. Leaves out what invalid
 * requests of ours may have made.
 */
function hasValueAt(
  { json }: Exchange,
  { at }: TypedPlace | MemberFact,
  known: RuleContext,
  isWanted: (found: BodyValue) => boolean,
): boolean {
  const names = at.split("/").slice(1);
  // No generator and no copies of names: this is asked of every element of every list for which a
  // row is undecided.
  const isFoundIn = (from: BodyValue, depth: number): boolean => {
    const name = names[depth];
    if (name === undefined) return isWanted(from);
    const { value } = from;
    if (name !== "*")
      return isFoundIn({ value: memberOf(value, name), name, around: from }, depth + 1);
    const list = String(from.name);
    const isLast = depth + 1 === names.length;
    return elementsOf(value).some((element, index) => {
      // An element that is not an object has nothing inside. It is skipped at once, because a list
      // can have very many of them.
      const isOpen = isLast || isObject(element);
      return (
        isOpen &&
        !isOurs(list, element, known) &&
        isFoundIn({ value: element, name: index, around: from }, depth + 1)
      );
    });
  };
  return isFoundIn({ value: json, name: "" }, 0);
}

function isReadable(exchange: Exchange): boolean {
  return isSuccess(exchange) && exchange.json !== undefined;
}

function rowsOf(operation: OperationName): readonly (MemberFact | TypedPlace)[] {
  const { types, facts } = successes[operation];
  return [...facts, ...types];
}

/**
 * The name of the member that a requirement is about. Undefined if the requirement is not about
 * successes of this operation.
 */
function nameOf(requirement: RequirementId, operation: OperationName): string | undefined {
  const place = rowsOf(operation).find((one) => one.requirement === requirement);
  return place?.at.split("/").findLast((name) => name !== "*" && name !== "");
}

/**
 * Why a requirement on a member has no verdict. `isThere`: the member was present, with a value
 * that cannot be compared.
 */
function textOf(
  requirement: RequirementId,
  operations: readonly OperationName[],
  isThere: boolean,
): string {
  const [name] = operations.map((operation) => nameOf(requirement, operation));
  const titles = operations.map(operationTitle).join(" or ");
  return isThere
    ? `no success of ${titles} showed ${name} with a value that can be compared`
    : `no success of ${titles} showed ${name}, which the specification does not require`;
}
