import type { Change } from "../policy.ts";
import type { Variant } from "./variant.ts";

/** A row of a table of variants; it says what most variants have in common. */
export const row = (
  id: string,
  about: string,
  change: Change,
  more: Pick<Variant, "answers" | "slot" | "excludes" | "needs"> = {},
): Variant => ({ id, about, change, ...more });
