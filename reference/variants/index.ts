import type { Variant } from "./variant.ts";

/** Every legal variant of the reference server. */
export const variants: readonly Variant[] = [];

export type { Variant, VariantNeeds } from "./variant.ts";
