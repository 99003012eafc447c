import type { QuestionId } from "../../spec/questions.ts";
import type { Json } from "../../spec/contract.ts";
import type { Change } from "../policy.ts";

/** A legal way to differ from the reference. */
export interface Variant {
  readonly id: string;
  readonly about: string;
  /** The open question that it answers in another way than the reference. */
  readonly answers?: QuestionId;
  /** Two variants of one slot are incompatible. */
  readonly slot?: string;
  /** Ids of other variants that it is incompatible with. */
  readonly excludes?: readonly string[];
  readonly needs?: VariantNeeds;
  /** Legal, and unlike what servers usually do: it must never be blamed, and may end without a verdict (INT-43). */
  readonly rare?: true;
  readonly change: Change;
}

/** Settings of a run without which the verdict would be wrong. */
export interface VariantNeeds {
  /** The most decimals that an amount may have. */
  readonly amountDecimals?: number;
  /** The largest amount. */
  readonly amountMax?: number;
  /** Operations get into a batch only through these members of POST /batches. */
  readonly batchMembers?: Readonly<Record<string, Json>>;
  /** EFX is the only purpose, so the run must have no others. */
  readonly onlyEfx?: true;
  /** Makes a run noticeably longer. */
  readonly slow?: true;
  readonly https?: true;
}

/** Makes a row of a table of variants. */
export const row = (
  id: string,
  about: string,
  facts: Pick<Variant, "answers" | "slot" | "excludes" | "needs" | "rare"> = {},
) => ({ by: (change: Change): Variant => ({ id, about, change, ...facts }) });
