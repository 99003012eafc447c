import { isSuccess } from "../../../model/exchange.ts";
import { valueAt } from "../place-text.ts";
import { broken, classOf, holds, shown, titleOf, type Check } from "./rule.ts";
import { adviceAt, memberFacts } from "./members.ts";

/** The two exact texts of an ACAM success (specification, Endpoints, 4; INT-22). */
export const acamResult: Check = (exchange, known) => {
  if (exchange.operation !== "addAcamItem" || !isSuccess(exchange) || exchange.json === undefined) return [];
  const texts = memberFacts.filter(({ operation }) => operation === exchange.operation);
  return texts.map(({ requirement, at, value: text }) => {
    const value = valueAt(exchange.json, at);
    return value === text
      ? holds(requirement)
      : broken(requirement, {
          message: `${titleOf(exchange)}: the ${at.slice(1)} of the success is not the stated text.`,
          expected: adviceAt(exchange, at, known),
          actual: value === undefined ? `${at} is absent in ${shown(exchange.json)}` : `${at} = ${shown(value)}`,
          pointer: at,
          cause: {
            expected: `${at} = ${shown(text)}`,
            actual: typeof value === "string" ? "another text" : classOf(value),
          },
        });
  });
};
