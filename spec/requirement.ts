import type { InterpretationId } from "./interpretations.ts";
import type { OperationName } from "./operations.ts";
import type { Section } from "./sections.ts";

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
  readonly source: Section;
  /** In our own words, one sentence, without the level's verb. */
  readonly statement: string;
  /** How the contested points of it are read. */
  readonly interpretations: readonly InterpretationId[];
  /** The operations it speaks of; a run without a success of each has not tested it. */
  readonly operations: readonly OperationName[];
  /** What else must be sent to judge it; what `operations` follow is understood. */
  readonly needs: readonly OperationName[];
  /** Whether standing checks judge it on every exchange of `operations`, or a scenario on a sequence of requests. */
  readonly shows: "every exchange" | "sequence";
  /** Whether the one request that shows a violation can show it again when it is repeated. */
  readonly repeatable: boolean;
  /** The version of fxconform that it came with. */
  readonly since: string;
}

/** What the rows of a group share. */
type Group = Pick<Requirement, "area" | "source" | "operations" | "interpretations"> & Partial<Requirement>;

/**
 * Makes the rows of a group; `own` is what differs from it.
 * Unless the group or the row says otherwise, a sequence shows it, a repetition can reproduce it, and it needs no more
 * than its operations.
 */
export const rowsOf =
  (group: Group) =>
  (level: Level, basis: Basis, statement: string, own: Partial<Requirement> = {}): Requirement => ({
    needs: [],
    shows: "sequence",
    repeatable: true,
    since: "0.1.0",
    ...group,
    level,
    basis,
    statement,
    ...own,
  });
