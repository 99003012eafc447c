import { statistics, type LatencyBudget } from "../../../model/budgets.ts";
import { operationNames } from "../../../spec/operations.ts";
import { nearest } from "../suggestion.ts";
import { duration } from "./duration.ts";
import { Misfit, type Kind } from "./kind.ts";

const wanted = "a list of budgets such as listBatches p95=300ms";
const time = duration({ min: 1, max: 600_000 });

/** `listBatches p95=300ms`, several of them separated by commas; a list in the file. */
export const latencyBudgets: Kind<readonly LatencyBudget[]> = {
  ofText,
  ofFile: (value) => {
    if (!Array.isArray(value)) return ofText(value);
    if (value.length === 0) throw new Misfit(wanted, "Name at least one.");
    return value.map(budgetOf);
  },
  schema: {
    anyOf: [
      { type: "array", minItems: 1, items: { type: "string", pattern: pattern() } },
      { type: "string", minLength: 1 },
    ],
  },
  toText: (budgets) => textsOf(budgets).join(","),
  toFile: textsOf,
  repeatable: ",",
};

function textsOf(budgets: readonly LatencyBudget[]): readonly string[] {
  return budgets.map(
    ({ operation, statistic, milliseconds }) => `${operation} ${statistic}=${time.toText(milliseconds)}`,
  );
}

function pattern(): string {
  return `^\\s*(${operationNames.join("|")})\\s+(${statistics.join("|")})\\s*=\\s*\\d+(\\.\\d+)?\\s*([mM]?[sS]|[mM])?\\s*$`;
}

function ofText(value: unknown): readonly LatencyBudget[] {
  const texts = typeof value === "string" ? value.split(",").filter((text) => text.trim() !== "") : [];
  if (texts.length === 0) throw new Misfit(wanted, "Name at least one.");
  return texts.map(budgetOf);
}

function budgetOf(value: unknown): LatencyBudget {
  const text = typeof value === "string" ? value : "";
  const [, name = "", statisticName, limit] = /^\s*(\w+)\s+(\w+)\s*=(.*)$/.exec(text) ?? [];
  const operation = operationNames.find((one) => one === name);
  const statistic = statistics.find((one) => one === statisticName);
  if (limit === undefined) throw new Misfit(wanted, "Write operation, statistic, = and duration.");
  if (operation === undefined) {
    const near = nearest(name, operationNames);
    const known = `The operations are ${operationNames.join(", ")}.`;
    throw new Misfit(wanted, near === undefined ? known : `Did you mean ${near}?`);
  }
  if (statistic === undefined) throw new Misfit(wanted, `The statistics are ${statistics.join(", ")}.`);
  return { operation, statistic, milliseconds: time.ofText(limit) };
}
