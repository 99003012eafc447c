export interface SectionText {
  readonly about: string;
  /** Why nothing in the project cites the section, or a part of the section. */
  readonly reason?: string;
}

/** Every section of the specification by its heading. `coverageOf` finds what cites a section. */
export const sections = {
  Introduction: { about: "HTTPS and JSON" },
  "What the service does": {
    about: "six things a client can do",
    reason: "How keys are handed out is outside the interface.",
  },
  "Resources, Operation": { about: "members of an operation, and what a new one looks like" },
  "Resources, BankAccount": { about: "its members and which are required" },
  "Resources, Bank": { about: "its members and where it may be null" },
  "Resources, CounterpartyAddress": { about: "its members" },
  "Resources, Counterparty": { about: "its members" },
  "Resources, ACAM item": { about: "its members, without required flags or formats" },
  "Resources, Batch": { about: "members of a batch" },
  "Resources, BatchOperation": { about: "members of an operation in a batch" },
  "Resources, Error and Token response": { about: "a message, a token" },
  "States and transitions": { about: "pending_quote and no other status" },
  Endpoints: {
    about: "the Authorization header; other methods, members and media types are not mentioned",
  },
  "Endpoints, 1": { about: "the token call" },
  "Endpoints, 2": { about: "the registration of a counterparty" },
  "Endpoints, 3": { about: "the creation of an operation" },
  "Endpoints, 4": { about: "ACAM items and the operations that take them" },
  "Endpoints, 5": { about: "the creation of a batch" },
  "Endpoints, 6": { about: "the list of batches" },
  Authentication: { about: "tokens and how they are sent" },
  Events: { about: "nothing is shown" },
  Errors: { about: "400 and 401, and the shape of all errors" },
  Limits: { about: "nothing is shown" },
  Versioning: {
    about: "a label, and paths without a version",
    reason: "Production and sandbox have addresses of their own, so each takes a run of its own.",
  },
} as const satisfies Record<string, SectionText>;

/** The heading of a section. A heading that the specification does not have does not compile. */
export type Section = keyof typeof sections;

export const sectionNames = Object.keys(sections) as readonly Section[];
