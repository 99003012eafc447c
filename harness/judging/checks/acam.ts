import { isObject, isSuccess, memberOf } from "../../../model/exchange.ts";
import { broken, classOf, holds, shown, titleOf, type Check } from "./check.ts";

const texts = [
  { requirement: "ACAM-01", member: "message", text: "ACAM item added successfully" },
  { requirement: "ACAM-02", member: "status", text: "success" },
] as const;

/** The two exact texts of an ACAM success (specification, Endpoints, 4; INT-22). */
export const acamResult: Check = (exchange) => {
  if (exchange.operation !== "addAcamItem" || !isSuccess(exchange) || exchange.intent.kind === "invalid") return [];
  if (exchange.offContract || exchange.json === undefined) return [];
  return texts.map(({ requirement, member, text }) => {
    const value = isObject(exchange.json) ? memberOf(exchange.json, member) : undefined;
    return value === text
      ? holds(requirement)
      : broken(requirement, {
          message: `${titleOf(exchange)}: the ${member} of the success is not the stated text.`,
          expected: `/${member} = ${shown(text)}`,
          actual:
            value === undefined ? `/${member} is absent in ${shown(exchange.json)}` : `/${member} = ${shown(value)}`,
          pointer: `/${member}`,
          cause: {
            expected: `/${member} = ${shown(text)}`,
            actual: typeof value === "string" ? "another text" : classOf(value),
          },
        });
  });
};
