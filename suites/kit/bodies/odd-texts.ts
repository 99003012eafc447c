import { oddTexts, type OddText, type Pool } from "../../../generators/index.ts";
import { invalid, unusual, type Exchange, type Intent, type RequestSpec } from "../../../model/exchange.ts";
import { operationTitle } from "../../../spec/operations.ts";
import type { Context } from "../context.ts";
import { draw } from "../draw.ts";

/** Texts that an id or a purpose must return unchanged. */
export const exactTexts: readonly OddText[] = [
  ...oddTexts.filter(({ fragile }) => fragile === "in names"),
  ...oddTexts.filter(({ fragile }) => fragile === undefined),
];

/** The intent of a request with an odd text at a pointer. A fragile text need not come back unchanged. */
export const oddIntent = ({ id, fragile }: OddText, pointer: string): Intent =>
  (fragile === undefined ? unusual : invalid)(`with ${id} in ${pointer}`);

/** The same at a member that must return what was sent: here trimming and normalising are faults. */
export const exactIntent = ({ id, fragile }: OddText, pointer: string): Intent =>
  (fragile === "anywhere" ? invalid : unusual)(`with ${id} in ${pointer}`);

/** Sends a request with an odd text at a pointer and observes what becomes of it. */
export const probeText = async (
  context: Context,
  spec: RequestSpec,
  odd: Pick<OddText, "id">,
  pointer: string,
): Promise<Exchange> => {
  const exchange = await context.send(spec);
  context.observeAnswer("OPEN-28", `${operationTitle(spec.operation)} with ${odd.id} in ${pointer}`, exchange);
  return exchange;
};

/** The odd texts of one place: how many of them are in every run, and how many more in one of the default size. */
export const textPool = (
  place: string,
  always: number,
  drawn: number,
  items: readonly OddText[] = oddTexts,
): Pool<OddText> => ({ name: `texts in ${place}`, items, always, drawn });

/** Sends odd texts at one place, as probes whose refusal is not a violation. */
export const probeTexts = async (
  context: Context,
  pointer: string,
  pool: Pool<OddText>,
  specWith: (odd: OddText) => RequestSpec,
): Promise<readonly { readonly odd: OddText; readonly exchange: Exchange }[]> =>
  Promise.all(
    draw(context, pool).map(async ({ item: odd, isAlways }) => {
      const spec = specWith(odd);
      return { odd, exchange: await (isAlways ? probeText(context, spec, odd, pointer) : context.send(spec)) };
    }),
  );
