import { invalid, unusual, type Exchange, type Intent, type RequestSpec } from "../../../model/exchange.ts";
import { operationTitle } from "../../../spec/operations.ts";
import type { Context } from "../context.ts";
import { classicTexts, type OddText } from "./chosen.ts";

/** How a request with an odd text at a pointer is judged: what comes back of a fragile text is not. */
export const oddIntent = (odd: Pick<OddText, "id" | "fragile">, pointer: string): Intent =>
  (odd.fragile === true ? invalid : unusual)(`with ${odd.id} in ${pointer}`);

/** Sends a request with an odd text at a pointer and observes what becomes of it. */
export const probeText = async (
  context: Context,
  spec: RequestSpec,
  odd: Pick<OddText, "id" | "fragile">,
  pointer: string,
): Promise<Exchange> => {
  const exchange = await context.send(spec);
  context.observeAnswer("OPEN-28", `${operationTitle(spec.operation)} with ${odd.id} in ${pointer}`, exchange);
  return exchange;
};

/** Sends odd texts at one member each, as probes whose refusal is not a violation. */
export const probeTexts = (
  context: Context,
  pointer: string,
  specWith: (odd: OddText) => RequestSpec,
  texts: readonly OddText[] = classicTexts,
): Promise<readonly Exchange[]> => Promise.all(texts.map((odd) => probeText(context, specWith(odd), odd, pointer)));
