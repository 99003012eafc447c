import { oddTexts, type OddText, type Pool } from "../../../generators/index.ts";
import { invalid, unusual, type Intent, type RequestSpec } from "../../../model/exchange.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { observing } from "../observing.ts";

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

/** Observes what becomes of a request with an odd text at a place. */
export const oddText = (spec: RequestSpec, { id }: Pick<OddText, "id">, place: string): RequestSpec =>
  observing(spec, "OPEN-28", `${operationTitle(spec.operation)} with ${id} in ${place}`);

/** The odd texts of one place, and how many of them are in every run. */
export const textPool = (place: string, always: number, items: readonly OddText[] = oddTexts): Pool<OddText> => ({
  name: `texts in ${place}`,
  items,
  always,
});
