import { isSuccess, type Ask, type Exchange } from "../../harness/exchange.ts";
import { manner, target } from "../../harness/testing/target.ts";
import { Inconclusive } from "../../harness/verdicts.ts";
import type { Stage } from "../stage.ts";

/** A stage whose target answers as the function says, and which writes down what is judged, a line each. */
export const stageWith = (answer: (ask: Ask) => Exchange, currencyPairs: readonly string[] = ["USDBRL", "EURBRL"]) => {
  const told: string[] = [];
  const asked: Ask[] = [];
  const stop = new AbortController();
  const stage = {
    target: { ...target, currencyPairs },
    manner,
    world: { signal: stop.signal },
    succeed: async (ask: Ask) => {
      asked.push(ask);
      const exchange = answer(ask);
      if (!isSuccess(exchange)) throw new Inconclusive("refused");
      await new Promise((resolve) => setTimeout(resolve, 1));
      return exchange;
    },
    ask: async (ask: Ask) => {
      asked.push(ask);
      return answer(ask);
    },
    holds: (id) => void told.push(`${id} holds`),
    violated: (id, { message, expected, actual, pointer = "-" }, exchange, repeated = "-") =>
      void told.push([`${id} ${message}`, expected, actual, pointer, exchange?.id ?? "-", repeated].join(" | ")),
    inconclusive: (id, reason) => void told.push(`${id} inconclusive: ${reason}`),
  } satisfies Partial<{ [K in keyof Stage]: K extends "world" ? unknown : Stage[K] }>;
  return { stage: stage as unknown as Stage, told, asked, stop };
};
