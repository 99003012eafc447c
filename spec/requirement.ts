/** The parts of the API that requirements are grouped by; each is a word that `--only` takes. */
export const areas = ["auth", "counterparty", "operation", "acam", "batches", "transport"] as const;
export type Area = (typeof areas)[number];

/**
 * MUST: the specification states it or it follows from what it states; a violation fails the run.
 * SHOULD: good practice that it suggests; a violation warns.
 */
export type Level = "MUST" | "SHOULD";

/** Where a requirement comes from: a sentence, a value shown in a sample, or a conclusion from either. */
export type Basis = "stated" | "example" | "inferred";

/** One thing that a server can break independently of all others. */
export interface Requirement {
  readonly area: Area;
  readonly level: Level;
  readonly basis: Basis;
  /** Section of the specification, by its heading. */
  readonly source: string;
  /** In our own words, one sentence, without the level's verb. */
  readonly statement: string;
}
