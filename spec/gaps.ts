/**
 * Why a requirement may have no verdict without anybody being at fault, as a row of data (INT-57).
 */
interface GapRow {
  /** The server for which this gap exists, in a sentence without its subject. */
  readonly server: string;
  /** What a verdict takes and the run lacks, in words that follow "it takes". */
  readonly takes: string;
}

/**
 * All gaps: what a server does not show, or what a user did not configure or forbids. A requirement
 * names the gaps that may leave it without a verdict.
 */
export const gaps = {
  "optional member": {
    server: "Leaves a member out that the specification does not require.",
    takes: "a response with an optional member",
  },
  "batched operations": {
    server: "Shows no operation in a batch, or puts operations into batches by steps of its own.",
    takes: "a batch with operations",
  },
  "whole list": {
    server: "Lists batches in pages or behind a filter (INT-29).",
    takes: "a list without pages",
  },
  "second pair": {
    server: "Has a single currency pair, or accepts one batch at a time.",
    takes: "batches of two pairs",
  },
  "other purpose": {
    server: "Accepts no purpose besides EFX that anybody named.",
    takes: "an operation whose purpose is not EFX",
  },
  https: {
    server: "Is tested over plain HTTP, or not over plain HTTP by the choice of the user (INT-10).",
    takes: "an address with HTTPS, and permission to ask over plain HTTP",
  },
  concurrency: {
    server: "Is tested with one request at a time, or handles one at a time.",
    takes: "two requests in flight at once",
  },
  refusal: {
    server:
      "Refuses a valid request for a reason of its own, for a fresh counterparty too (INT-11).",
    takes: "a valid request that the server accepts",
  },
  "bad credentials": {
    server: "Every server, where the user allows fewer bad credentials than the checks take.",
    takes: "more bad credentials than --max-bad-credentials allows",
  },
} as const satisfies Record<string, GapRow>;

/**
 * The name of a gap. If a MUST has no verdict, and the reason is not a gap, the outcome of a full
 * run is not `conformant`.
 */
export type Gap = keyof typeof gaps;
