import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { requirementIds, type RequirementId } from "../../../spec/catalogue.ts";
import { operationNames, operationTitle, type OperationName } from "../../../spec/operations.ts";
import { showsPlace } from "./members.ts";
import { noVerdict, type Rule } from "./rule.ts";
import { successes, type Fact, type Typed } from "./successes.ts";

/** Which requirements on members had nothing to judge, as every success left their members out (INT-07, INT-57). */
export const absence: Rule = {
  decides: [],
  create: (known) => {
    const shown = new Set<RequirementId>();
    const seen = new Set<OperationName>();
    return {
      judge: (exchange) => {
        if (!isReadable(exchange)) return [];
        seen.add(exchange.operation);
        const open = placesOf(exchange.operation).filter(({ requirement }) => !shown.has(requirement));
        for (const place of open) if (showsPlace(exchange, place, known)) shown.add(place.requirement);
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
              : [noVerdict(requirement, textOf(requirement, operations), "optional member")];
          }),
    };
  },
};

const isReadable = (exchange: Exchange): boolean => isSuccess(exchange) && exchange.json !== undefined;

const placesOf = (operation: OperationName): readonly (Fact | Typed)[] => {
  const { types, facts } = successes[operation];
  return [...facts, ...types];
};

/** The name of the member that a requirement is about; undefined if it is not about the successes of an operation. */
const nameOf = (requirement: RequirementId, operation: OperationName): string | undefined => {
  const place = placesOf(operation).find((one) => one.requirement === requirement);
  return place?.at.split("/").findLast((name) => name !== "*" && name !== "");
};

const textOf = (requirement: RequirementId, operations: readonly OperationName[]): string => {
  const [name] = operations.map((operation) => nameOf(requirement, operation));
  const titles = operations.map(operationTitle).join(" or ");
  return `no success of ${titles} showed ${name}, which the specification does not require`;
};
