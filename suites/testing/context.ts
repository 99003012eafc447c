import { hintOn, Inconclusive } from "../../harness/errors.ts";
import { settings, target } from "../../model/testing/target.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { ScenarioCore } from "../run/context.ts";
import { createTargetKnowledge } from "../run/target-knowledge.ts";

/**
 * Makes a context whose target answers as `response` says. `judged` and `observed` collect what is
 * judged and observed, a line for each.
 */
export function contextWith(
  response: (spec: RequestSpec) => Exchange,
  currencyPairs: readonly string[] = ["USDBRL", "EURBRL"],
) {
  const judged: string[] = [];
  const observed: string[] = [];
  const sent: RequestSpec[] = [];
  const stop = new AbortController();
  const send = async (spec: RequestSpec): Promise<Exchange> => {
    sent.push(spec);
    return response(spec);
  };
  const context = {
    target: { ...target, currencyPairs },
    settings,
    knowledge: createTargetKnowledge(),
    run: { signal: stop.signal, recorder: { progress: { draws: () => undefined } } },
    adviceOn: (operation) => hintOn[operation],
    succeed: async (spec: RequestSpec) => {
      sent.push(spec);
      const exchange = response(spec);
      if (!isSuccess(exchange)) throw new Inconclusive("refused");
      await new Promise((resolve) => setTimeout(resolve, 1));
      return exchange;
    },
    send,
    alone: (task) => task(send),
    proving: (task) => task(),
    holds: (id) => void judged.push(`${id} holds`),
    violated: (id, { message, expected, actual, pointer = "-" }, proof) =>
      void judged.push(
        [
          `${id} ${message}`,
          expected,
          actual,
          pointer,
          proof?.exchange?.id ?? "-",
          proof?.repeated ?? "-",
        ].join(" | "),
      ),
    inconclusive: (id, reason) => void judged.push(`${id} inconclusive: ${reason}`),
    observe: (question, inCase, answer) => void observed.push(`${question} ${inCase}: ${answer}`),
  } satisfies Partial<{ [K in keyof ScenarioCore]: K extends "run" ? unknown : ScenarioCore[K] }>;
  return { context: context as unknown as ScenarioCore, judged, observed, sent, stop };
}
