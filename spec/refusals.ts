import type { RequirementId } from "./catalogue.ts";
import type { OperationName } from "./operations.ts";

/** The members of the body of POST /corporate/operation. All four are required (specification, Endpoints, 3). */
export const operationMembers = ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"] as const;

/** The requirement that a body breaks if a member is left out, null or of a wrong type (Endpoints, 3; INT-19). */
export const memberRefusals = {
  omit: {
    currency_amount: "OPER-20",
    operation_purpose: "OPER-21",
    currency_pair: "OPER-22",
    counterparty_id: "OPER-23",
  },
  null: {
    currency_amount: "OPER-24",
    operation_purpose: "OPER-25",
    currency_pair: "OPER-26",
    counterparty_id: "OPER-27",
  },
  type: {
    currency_amount: "OPER-28",
    operation_purpose: "OPER-29",
    currency_pair: "OPER-30",
    counterparty_id: "OPER-31",
  },
} as const satisfies Record<string, Record<(typeof operationMembers)[number], RequirementId>>;

/** Requirements on inputs of one kind, by words that continue "requests". */
const inputKinds: Readonly<Record<string, readonly RequirementId[]>> = {
  "without a required member": Object.values(memberRefusals.omit),
  "with null for a member": Object.values(memberRefusals.null),
  "with a member of another type": Object.values(memberRefusals.type),
  "whose body is no object": ["OPER-32"],
  "with an empty body": ["OPER-33"],
  "with malformed JSON": ["OPER-34"],
  "with an amount of zero or less": ["OPER-40", "OPER-41"],
  "with a pair that does not exist": ["OPER-42", "OPER-43"],
  "that name what does not exist": ["OPER-44", "ACAM-04"],
  "for another purpose": ["ACAM-03", "ACAM-05"],
};

/**
 * What is wrong with the requests that a requirement wants refused: `with null for a member`. A server that accepts two
 * kinds of them makes two mistakes.
 */
export const inputKindOf = (requirement: RequirementId): string | undefined =>
  requirement.startsWith("AUTH-")
    ? "with bad credentials"
    : Object.entries(inputKinds).find(([, ids]) => ids.includes(requirement))?.[0];

/** The requirement for each kind of bad Authorization header at one endpoint (specification, Endpoints; INT-17). */
export interface TokenRefusals {
  readonly missing: RequirementId;
  readonly madeUp: RequirementId;
  readonly tampered: RequirementId;
  readonly malformed: RequirementId;
  /** The one status that the specification states for missing and invalid tokens. */
  readonly exactly?: 401;
}

/** The requirements on bad Authorization headers, by endpoint. The token endpoint takes none. */
export const tokenRefusals = {
  createOperation: {
    missing: "AUTH-20",
    madeUp: "AUTH-21",
    tampered: "AUTH-22",
    malformed: "AUTH-23",
    exactly: 401,
  },
  createCounterparty: { missing: "AUTH-24", madeUp: "AUTH-25", tampered: "AUTH-26", malformed: "AUTH-27" },
  addAcamItem: { missing: "AUTH-28", madeUp: "AUTH-29", tampered: "AUTH-30", malformed: "AUTH-31" },
  createBatch: { missing: "AUTH-32", madeUp: "AUTH-33", tampered: "AUTH-34", malformed: "AUTH-35" },
  listBatches: { missing: "AUTH-36", madeUp: "AUTH-37", tampered: "AUTH-38", malformed: "AUTH-39" },
} as const satisfies Record<Exclude<OperationName, "createToken">, TokenRefusals>;
