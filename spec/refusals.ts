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

/** What is wrong with a request, after "requests". A server that accepts two kinds makes two mistakes. */
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

export interface TokenRefusals {
  readonly missing: RequirementId;
  readonly madeUp: RequirementId;
  readonly tampered: RequirementId;
  readonly malformed: RequirementId;
  /** The one status that the specification states for missing and invalid tokens. */
  readonly exactly?: 401;
}

export const tokenRefusals = {
  createOperation: { missing: "AUTH-20", madeUp: "AUTH-21", tampered: "AUTH-22", malformed: "AUTH-23", exactly: 401 },
  createCounterparty: { missing: "AUTH-24", madeUp: "AUTH-25", tampered: "AUTH-26", malformed: "AUTH-27" },
  addAcamItem: { missing: "AUTH-28", madeUp: "AUTH-29", tampered: "AUTH-30", malformed: "AUTH-31" },
  createBatch: { missing: "AUTH-32", madeUp: "AUTH-33", tampered: "AUTH-34", malformed: "AUTH-35" },
  listBatches: { missing: "AUTH-36", madeUp: "AUTH-37", tampered: "AUTH-38", malformed: "AUTH-39" },
} as const satisfies Record<Exclude<OperationName, "createToken">, TokenRefusals>;

const requirementsOn: Readonly<Partial<Record<keyof typeof inputKinds, readonly RequirementId[]>>> = {
  credentials: [
    ...(["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10", "AUTH-11", "AUTH-40", "AUTH-41"] as const),
    ...Object.values(tokenRefusals).flatMap(({ missing, madeUp, tampered, malformed }) => [
      missing,
      madeUp,
      tampered,
      malformed,
    ]),
  ],
  omit: Object.values(memberRefusals.omit),
  null: Object.values(memberRefusals.null),
  type: Object.values(memberRefusals.type),
  nonObject: ["OPER-32"],
  empty: ["OPER-33"],
  malformed: ["OPER-34"],
  amount: ["OPER-40", "OPER-41"],
  pair: ["OPER-42", "OPER-43"],
  unknown: ["OPER-44", "ACAM-04"],
  purpose: ["ACAM-03", "ACAM-05"],
};

/** The requirements that a request is refused: the rule on refusals decides them. */
export const refusalRequirements: readonly RequirementId[] = Object.values(requirementsOn).flat();

/** What is wrong with the requests that a requirement wants refused. */
export const inputKindOf = (requirement: RequirementId): InputKind | undefined => {
  const [kind] = Object.entries(requirementsOn).find(([, ids]) => ids.includes(requirement)) ?? [];
  return kind === undefined ? undefined : inputKinds[kind as keyof typeof inputKinds];
};
