import type { OwnNeed } from "./gaps.ts";
import type { InterpretationId } from "./interpretations.ts";
import type { OperationName } from "./operations.ts";
import type { Section } from "./sections.ts";

/** The areas that requirements are grouped by. `--only` and `--exclude` take their names. */
export const areas = ["auth", "counterparty", "operation", "acam", "batches", "transport"] as const;
export type Area = (typeof areas)[number];

/**
 * MUST: stated, or it follows from what is stated; a broken MUST fails the run. SHOULD: good
 * practice; a broken SHOULD warns.
 */
export type Level = "MUST" | "SHOULD";

/**
 * Where a requirement comes from: a sentence of the specification, a value in a sample, or a
 * conclusion from both.
 */
export type Basis = "stated" | "example" | "inferred";

/**
 * What is wrong with the requests that must be refused, in words that follow "requests". A server that accepts two of these
 * kinds makes two mistakes.
 */
export const inputKinds = {
  omit: "with a member left out",
  null: "with null for a member",
  type: "with a member of another type",
  nonObject: "whose body is no object",
  empty: "with an empty body",
  malformed: "with malformed JSON",
  credentials: "with bad credentials",
  amount: "with an amount of zero or less",
  pair: "with a pair that does not exist",
  unknown: "that name what does not exist",
  purpose: "for another purpose",
} as const;
export type InputKind = (typeof inputKinds)[keyof typeof inputKinds];

/** One of the mistakes in requests that must be refused. */
export type WrongInput = keyof typeof inputKinds;

/** One thing that a server can break independently of all others. */
export interface Requirement {
  readonly area: Area;
  readonly level: Level;
  readonly basis: Basis;
  readonly source: Section;
  /** One sentence in our own words, without MUST or SHOULD. */
  readonly statement: string;
  /** The interpretations that the requirement rests on, at least one. */
  readonly interpretations: readonly InterpretationId[];
  /**
   * The operations that the requirement is about. If one of them never succeeds in a run, the
   * requirement was not tested.
   */
  readonly operations: readonly OperationName[];
  /**
   * Other operations that must be sent to judge the requirement. The predecessors of `operations`
   * need not be listed.
   */
  readonly needs: readonly OperationName[];
  /**
   * What judges the requirement: standing checks on every exchange of `operations`, or a scenario
   * that sends a sequence of requests.
   */
  readonly shows: "every exchange" | "sequence";
  /** Whether the request that showed a violation can show it again when it is sent again. */
  readonly repeatable: boolean;
  /**
   * What is wrong with the requests that the requirement wants refused. Absent if the requirement
   * is about something else.
   */
  readonly refuses?: WrongInput;
  /**
   * What a verdict takes beside successes of `operations` and `needs`, in this order. Their gaps may
   * leave the requirement open in a run that concludes that a server conforms (INT-57).
   */
  readonly takes: readonly OwnNeed[];
  /**
   * Whether the profile `smoke` leaves the requirement out although its requests create nothing,
   * because one of them may do harm in production.
   */
  readonly onlyFull?: true;
}

type Group = Pick<Requirement, "area" | "source" | "operations" | "interpretations"> &
  Partial<Requirement>;

/**
 * Members of rows: `inferred` for what follows from what is stated, `example` for what a sample
 * shows, and `should` for good practice that is not stated.
 */
export const inferred = { basis: "inferred" } as const;
export const example = { basis: "example" } as const;
export const should = { level: "SHOULD", basis: "inferred" } as const;

/** Makes the member of a row which says that requests with this mistake must be refused. */
export const refuses = (mistake: WrongInput) => ({ refuses: mistake });

/** Makes the interpretations of a row, in place of those of its group. */
export const read = (...interpretations: readonly InterpretationId[]) => ({ interpretations });

/** Makes what a verdict on a row takes, in place of what its group says. */
export const takes = (...needs: readonly OwnNeed[]) => ({ takes: needs });

/** The sources of rows on bank accounts and on banks, which are parts of other resources. */
export const ofAccount = { source: "Resources, BankAccount" } as const;
export const ofBank = { source: "Resources, Bank" } as const;

/**
 * Returns a function that makes the rows of a group. The values in `own` replace those of the
 * group. By default, a row is a stated and repeatable MUST that a sequence of requests shows.
 */
export function requirementRows(group: Group) {
  return (statement: string, ...own: readonly Partial<Requirement>[]): Requirement => ({
    level: "MUST",
    basis: "stated",
    needs: [],
    shows: "sequence",
    repeatable: true,
    takes: [],
    ...group,
    statement,
    ...(Object.assign({}, ...own) as Partial<Requirement>),
  });
}
