import type { QuestionId } from "../../spec/questions.ts";
import type { Json } from "../../spec/contract.ts";
import type { Change } from "../policy.ts";

/** A legal way to differ. */
export interface Variant {
  readonly id: string;
  readonly about: string;
  /** The open question that it answers in its own way. */
  readonly answers?: QuestionId;
  /** Two variants of one slot are incompatible. */
  readonly slot?: string;
  /** Ids of other variants that it is incompatible with. */
  readonly excludes?: readonly string[];
  readonly needs?: VariantNeeds;
  readonly change: Change;
}

/** What a run needs to know for a fair verdict. */
export interface VariantNeeds {
  /** Amounts with so many decimals at most. */
  readonly amountDecimals?: number;
  /** Amounts up to here at most. */
  readonly amountMax?: number;
  /** Operations come into batches through these members of POST /batches alone. */
  readonly batchMembers?: Readonly<Record<string, Json>>;
  /** EFX is the only purpose: no others may be configured. */
  readonly onlyEfx?: true;
  /** A run takes noticeably longer. */
  readonly slow?: true;
  readonly https?: true;
}

/** Makes a row of a table of variants. */
export const row = (
  id: string,
  about: string,
  facts: Pick<Variant, "answers" | "slot" | "excludes" | "needs"> = {},
) => ({ by: (change: Change): Variant => ({ id, about, change, ...facts }) });
