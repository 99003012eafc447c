import type { Gap } from "./gaps.ts";
import type { InterpretationId } from "./interpretations.ts";
import type { OperationName } from "./operations.ts";
import type { Section } from "./sections.ts";

/** The areas that requirements are grouped by. `--only` and `--exclude` take their names. */
export const areas = ["auth", "counterparty", "operation", "acam", "batches", "transport"] as const;
export type Area = (typeof areas)[number];

/**
 * MUST: stated, or it follows from what is stated; it fails the run. SHOULD: good practice; it
 * warns.
 */
export type Level = "MUST" | "SHOULD";

/**
 * Where a requirement comes from: a sentence of the specification, a value in a sample, or a
 * conclusion from these.
 */
export type Basis = "stated" | "example" | "inferred";

/** What is wrong with the requests that must be refused; `refusals.ts` has it in words. */
export type WrongInput =
  | "omit"
  | "null"
  | "type"
  | "nonObject"
  | "empty"
  | "malformed"
  | "credentials"
  | "amount"
  | "pair"
  | "unknown"
  | "purpose";

/** One thing that a server can break independently of all others. */
export interface Requirement {
  readonly area: Area;
  readonly level: Level;
  readonly basis: Basis;
  readonly source: Section;
  /** One sentence in our own words, without MUST or SHOULD. */
  readonly statement: string;
  /** The interpretations that it rests on, at least one. */
  readonly interpretations: readonly InterpretationId[];
  /**
   * The operations that it is about. If one of them never succeeds in a run, the requirement was
   * not tested.
   */
  readonly operations: readonly OperationName[];
  /**
   * Other operations that must be sent to judge it. Those that `operations` follow need not be
   * listed.
   */
  readonly needs: readonly OperationName[];
  /**
   * What judges it: standing checks on every exchange of `operations`, or a scenario on a sequence
   * of requests.
   */
  readonly shows: "every exchange" | "sequence";
  /** Whether a violation can show again if the one request that showed it is sent again. */
  readonly repeatable: boolean;
  /**
   * What is wrong with the requests that it wants refused; absent if it is about something else.
   */
  readonly refuses?: WrongInput;
  /**
   * For which reasons it may stay without a verdict in a run that concludes that a server conforms
   * (INT-57).
   */
  readonly gaps: readonly Gap[];
  /** The profile `smoke` leaves it out, although what shows it creates nothing. */
  readonly onlyFull?: true;
}

type Group = Pick<Requirement, "area" | "source" | "operations" | "interpretations"> &
  Partial<Requirement>;

/**
 * What differs in rows that are a conclusion, rest on a sample, or are good practice that nobody
 * stated.
 */
export const inferred = { basis: "inferred" } as const;
export const example = { basis: "example" } as const;
export const should = { level: "SHOULD", basis: "inferred" } as const;

/** A row that is about requests with this mistake. */
export const refuses = (mistake: WrongInput) => ({ refuses: mistake });

/** Other interpretations than those of the group. */
export const read = (...interpretations: readonly InterpretationId[]) => ({ interpretations });

/** The reasons for which a row may stay without a verdict, instead of those of the group. */
export const open = (...gaps: readonly Gap[]) => ({ gaps });

/** The sources of rows on the banks of a resource. */
export const ofAccount = { source: "Resources, BankAccount" } as const;
export const ofBank = { source: "Resources, Bank" } as const;

/**
 * Makes the rows of a group; `own` replaces its values. Default: a stated MUST that a sequence
 * shows, repeatable.
 */
export function rowsOf(group: Group) {
  return (statement: string, ...own: readonly Partial<Requirement>[]): Requirement => ({
    level: "MUST",
    basis: "stated",
    needs: [],
    shows: "sequence",
    repeatable: true,
    gaps: [],
    ...group,
    statement,
    ...(Object.assign({}, ...own) as Partial<Requirement>),
  });
}
