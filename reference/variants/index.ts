import { answerVariants, statusVariants } from "./answers.ts";
import { delayVariants, limitVariants } from "./limits.ts";
import { gatewayVariants } from "./gateways.ts";
import { idVariants, spellingVariants, timeVariants } from "./spelling.ts";
import { lenientVariants } from "./lenience.ts";
import { listVariants } from "./listing.ts";
import { payeeVariants } from "./payees.ts";
import { narrowVariants, strictVariants } from "./strictness.ts";
import { repetitionVariants } from "./repetition.ts";
import { tokenVariants } from "./tokens.ts";
import { transportVariants } from "./transport.ts";
import type { Variant } from "./variant.ts";

export const variantFamilies = {
  statuses: statusVariants,
  tokens: tokenVariants,
  ids: idVariants,
  lists: listVariants,
  delays: delayVariants,
  limits: limitVariants,
  transport: transportVariants,
  spelling: spellingVariants,
  times: timeVariants,
  answers: answerVariants,
  strictness: strictVariants,
  narrowness: narrowVariants,
  payees: payeeVariants,
  repetition: repetitionVariants,
  lenience: lenientVariants,
  gateways: gatewayVariants,
} as const satisfies Readonly<Record<string, readonly Variant[]>>;

export const variants: readonly Variant[] = Object.values(variantFamilies).flat();

/**
 * Whether one server can have both variants: they are different, do not share a slot, and neither
 * excludes the other.
 */
export function areCompatible(one: Variant, other: Variant): boolean {
  return (
    one.id !== other.id &&
    (one.slot === undefined || one.slot !== other.slot) &&
    one.excludes?.includes(other.id) !== true &&
    other.excludes?.includes(one.id) !== true
  );
}

export type { Variant } from "./variant.ts";
