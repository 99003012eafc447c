export interface SectionText {
  readonly about: string;
  /** Why nothing in the project cites the section, or a part of the section. */
  readonly reason?: string;
}

/**
 * Every section of the specification by its heading. `sections.md` says what each is about, and
 * `coverageOf` finds what cites it.
 */
export const sectionNames = [
  "Introduction",
  "What the service does",
  "Resources, Operation",
  "Resources, BankAccount",
  "Resources, Bank",
  "Resources, CounterpartyAddress",
  "Resources, Counterparty",
  "Resources, ACAM item",
  "Resources, Batch",
  "Resources, BatchOperation",
  "Resources, Error and Token response",
  "States and transitions",
  "Endpoints",
  "Endpoints, 1",
  "Endpoints, 2",
  "Endpoints, 3",
  "Endpoints, 4",
  "Endpoints, 5",
  "Endpoints, 6",
  "Authentication",
  "Events",
  "Errors",
  "Limits",
  "Versioning",
] as const;

/** The heading of a section. A heading that the specification does not have does not compile. */
export type Section = (typeof sectionNames)[number];
