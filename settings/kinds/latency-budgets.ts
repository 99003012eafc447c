import * as v from "valibot";
import { statistics, type LatencyBudget } from "../../model/gate.ts";
import { operationNames } from "../../spec/operations.ts";
import { suggestion } from "../selection.ts";
import { message, read, type Kind } from "./kind.ts";
import { duration } from "./number.ts";
import { listOf } from "./words.ts";

const wanted = "a list of budgets such as listBatches p95=300ms";
const { schema: time } = duration("1ms", "10m");
const shape = /^\s*(\w+)\s+(\w+)\s*=(.*)$/;

/** `listBatches p95=300ms`, several of them separated by commas; a list in the file. */
export const latencyBudgets: Kind<readonly LatencyBudget[], string | string[]> = listOf(
  v.pipe(
    v.string(wanted),
    v.regex(shape, message(wanted, "Write operation, statistic, = and duration.")),
    v.rawTransform(({ dataset, addIssue, NEVER }): LatencyBudget => {
      const [, name = "", statisticName, limit] = shape.exec(dataset.value) ?? [];
      const operation = operationNames.find((one) => one === name);
      const statistic = statistics.find((one) => one === statisticName);
      const milliseconds = read(time, limit);
      const wrong = (advice: string) => {
        addIssue({ message: message(wanted, advice) });
        return NEVER;
      };
      if (operation === undefined) {
        return wrong(suggestion(name, operationNames) ?? `The operations are ${operationNames.join(", ")}.`);
      }
      if (statistic === undefined) return wrong(`The statistics are ${statistics.join(", ")}.`);
      if ("value" in milliseconds) return { operation, statistic, milliseconds: milliseconds.value };
      addIssue({ message: message(milliseconds.wanted, milliseconds.advice) });
      return NEVER;
    }),
  ),
  wanted,
);
