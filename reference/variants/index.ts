import { answerVariants } from "./answers.ts";
import { delayVariants } from "./delays.ts";
import { gatewayVariants } from "./gateways.ts";
import { idVariants } from "./ids.ts";
import { lenientVariants } from "./lenience.ts";
import { limitVariants } from "./limits.ts";
import { listVariants } from "./listing.ts";
import { narrowVariants } from "./narrowness.ts";
import { repetitionVariants } from "./repetition.ts";
import { spellingVariants } from "./spelling.ts";
import { statusVariants } from "./statuses.ts";
import { strictVariants } from "./strictness.ts";
import { timeVariants } from "./times.ts";
import { tokenVariants } from "./tokens.ts";
import { transportVariants } from "./transport.ts";
import type { Variant } from "./variant.ts";

/** Every legal variant of the reference server, by what it differs in. */
export const variants: readonly Variant[] = [
  ...statusVariants,
  ...tokenVariants,
  ...idVariants,
  ...listVariants,
  ...delayVariants,
  ...limitVariants,
  ...transportVariants,
  ...spellingVariants,
  ...timeVariants,
  ...answerVariants,
  ...strictVariants,
  ...narrowVariants,
  ...repetitionVariants,
  ...lenientVariants,
  ...gatewayVariants,
];

/** True if one server can have both variants: they have different slots, and neither excludes the other. */
export const areCompatible = (one: Variant, other: Variant): boolean =>
  one.id !== other.id &&
  (one.slot === undefined || one.slot !== other.slot) &&
  one.excludes?.includes(other.id) !== true &&
  other.excludes?.includes(one.id) !== true;

export type { Variant, VariantNeeds } from "./variant.ts";
