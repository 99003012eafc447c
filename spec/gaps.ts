/**
 * What a verdict takes beside valid requests that succeed, each with the gaps that may leave a
 * requirement open (INT-57): what a server does not show, or a user did not configure or forbids. A
 * requirement names its own in the order in which a run meets them (`needs.ts`).
 */
export const ownNeeds = {
  /** Of a server that leaves a member out that the specification does not require. */
  "optional member": ["optional member"],
  /** Of a server that refuses members which only responses have. */
  "an accepted request that makes members up": ["refusal"],
  /** Of a server that refuses a second creation, for a fresh counterparty too (INT-11). */
  "two things": ["refusal"],
  /** The same for batches; a smoke run sees two only in a list that shows them. */
  "two batches": ["refusal", "second pair", "whole list"],
  /** Of a server that has a single currency pair, or accepts one batch at a time. */
  "second pair": ["refusal", "second pair"],
  /** Of a server that is tested with one request at a time, or handles one at a time. */
  "two at once": ["concurrency"],
  /** Of a server that lists batches in pages or behind a filter (INT-29). */
  "a batch": ["whole list"],
  "a listed batch": ["whole list"],
  "an own batch in the list": ["whole list"],
  "the whole list": ["whole list"],
  /** Of a server that shows no operation in a batch, or puts them there by steps of its own. */
  "an operation in a batch": ["batched operations"],
  "an own operation in a batch": ["batched operations"],
  /** Of a server that accepts no purpose besides EFX that anybody named. */
  "another purpose": ["other purpose", "refusal"],
  /** Of a server with credentials so short, or of such letters, that no near one can be made. */
  "a near credential": ["near credential"],
  /** Of a server that is tested over plain HTTP, or not over it by the choice of the user (INT-10). */
  https: ["https"],
} as const satisfies Record<string, readonly string[]>;

export type OwnNeed = keyof typeof ownNeeds;

/**
 * The name of a gap. If a MUST has no verdict, and the reason is not a gap of its row, the outcome of
 * a full run is not `conformant`. `bad credentials`: the user allows fewer than the checks take.
 */
export type Gap = (typeof ownNeeds)[OwnNeed][number] | "bad credentials";
