import { isSuccess, type RequestSpec, type Exchange } from "../../model/exchange.ts";
import { settings, target } from "../../harness/testing/target.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import type { Context } from "../kit/context.ts";

/** A context whose target answers as the function says, and which writes down what is judged, a line each. */
export const stageWith = (
  response: (ask: RequestSpec) => Exchange,
  currencyPairs: readonly string[] = ["USDBRL", "EURBRL"],
) => {
  const told: string[] = [];
  const asked: RequestSpec[] = [];
  const stop = new AbortController();
  const context = {
    target: { ...target, currencyPairs },
    settings,
    run: { signal: stop.signal },
    succeed: async (ask: RequestSpec) => {
      asked.push(ask);
      const exchange = response(ask);
      if (!isSuccess(exchange)) throw new Inconclusive("refused");
      await new Promise((resolve) => setTimeout(resolve, 1));
      return exchange;
    },
    ask: async (ask: RequestSpec) => {
      asked.push(ask);
      return response(ask);
    },
    holds: (id) => void told.push(`${id} holds`),
    violated: (id, { message, expected, actual, pointer = "-" }, exchange, repeated = "-") =>
      void told.push([`${id} ${message}`, expected, actual, pointer, exchange?.id ?? "-", repeated].join(" | ")),
    inconclusive: (id, reason) => void told.push(`${id} inconclusive: ${reason}`),
  } satisfies Partial<{ [K in keyof Context]: K extends "run" ? unknown : Context[K] }>;
  return { context: context as unknown as Context, told, asked, stop };
};
