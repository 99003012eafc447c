import { isUsableToken } from "../../../model/exchange.ts";
import { classOf, type Json } from "../../../spec/json.ts";
import { isDateTime, isUtc, type ResponseSchemaName } from "../response-schemas.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { shown } from "./rule.ts";

interface MemberPlace {
  readonly requirement: RequirementId;
  /**
   * The place as a JSON pointer, with a star for the index of an element. Empty for the body
   * itself.
   */
  readonly at: string;
}

/**
 * A requirement on the type of the value at a place, and on the types of everything inside it,
 * except for places with a row of their own.
 */
export interface TypedPlace extends MemberPlace {
  /**
   * The requirement covers only what is inside the place. The type of the place itself belongs to
   * the requirement on the object or list around it.
   */
  readonly isInside?: true;
}

/** A requirement on a member other than its type. */
export interface MemberFact extends MemberPlace {
  /**
   * The name of the place in messages and causes. It is the same for a batch on its own and for a
   * batch in the list.
   */
  readonly place: string;
  /**
   * What holds of a right value, in words that follow the place: `is present`, `= "success"`, `in
   * UTC`.
   */
  readonly rule: string;
  readonly isNeeded?: true;
  /** The one value that the member may have. */
  readonly value?: string | null;
  /** The member of the request whose value this member repeats. */
  readonly repeats?: string;
  /**
   * Whether a value is right. Returns undefined if that cannot be judged, for example because the
   * type is wrong already.
   */
  readonly isRight?: (value: Json | undefined) => boolean | undefined;
  /** What a right value is, in words, if the type does not say enough. */
  readonly right?: string;
  /**
   * The kind of the value that was found, as the cause names it. `actual`: what a finding shows in
   * place of a value that must not be shown.
   */
  readonly found?: (value: Json | undefined) => string;
  readonly actual?: (value: Json | undefined) => string;
}

interface Success {
  /**
   * The status that a success must have: it is stated, or usual for a creation. Absent if any
   * status of a success is right.
   */
  readonly status?: { readonly requirement: RequirementId; readonly is: number };
  /** The schema of the body. Absent for the ACAM response, whose exact texts the rows state. */
  readonly schema?: ResponseSchemaName;
  /** The requirements on types. Of several rows that cover a place, the first one counts. */
  readonly types: readonly TypedPlace[];
  readonly facts: readonly MemberFact[];
}

const typed = (requirement: RequirementId, at: string): TypedPlace => ({ requirement, at });
function inside(requirement: RequirementId, at: string): TypedPlace {
  return {
    requirement,
    at,
    isInside: true,
  };
}

function fact(
  requirement: RequirementId,
  at: string,
  rule: string,
  more: Partial<MemberFact>,
): MemberFact {
  return {
    requirement,
    at,
    place: at,
    rule,
    ...more,
  };
}

function needed(requirement: RequirementId, at: string): MemberFact {
  return fact(requirement, at, "is present", { isNeeded: true });
}

/**
 * A row for a member with one right value. A member whose right value is null may also be absent.
 * `other`: what the cause calls any other text.
 */
function equal(
  requirement: RequirementId,
  at: string,
  value: string | null,
  other?: string,
): MemberFact {
  const found = (one: Json | undefined) =>
    other !== undefined && typeof one === "string" ? other : classOf(one);
  return fact(requirement, at, `= ${shown(value)}`, {
    value,
    ...(value !== null && { isNeeded: true }),
    found,
  });
}

function repeated(requirement: RequirementId, at: string, repeats = at.slice(1)): MemberFact {
  return fact(requirement, at, "as sent", { repeats });
}

/** The rows on the types of the operations in a batch. `batch`: the JSON pointer of the batch. */
function batchTypes(batch: string): readonly TypedPlace[] {
  return [
    typed("BATCH-31", `${batch}/operations/*/created_at`),
    typed("BATCH-32", `${batch}/operations/*/bank_account`),
    typed("BATCH-33", `${batch}/operations/*/intermediary_bank`),
    inside("BATCH-30", `${batch}/operations/*`),
  ];
}

/** The rows on members of a batch, other than on types (INT-30). `batch`: its JSON pointer. */
function batchFacts(batch: string): readonly MemberFact[] {
  return [
    fact("BATCH-09", "/operation_count", "is at least 0", {
      isRight: (count) => (typeof count === "number" ? count >= 0 : undefined),
      right: "an integer of at least 0",
      found: () => "a negative number",
    }),
    fact("BATCH-34", "/operations/*/operation_purpose", "is absent", {
      isRight: (purpose) => purpose === undefined,
      right: "absent",
      found: () => "an operation with it",
    }),
  ].map((fact) => ({ ...fact, at: `${batch}${fact.at}` }));
}

/**
 * What each operation's success must contain, by INT-07 to INT-09, INT-14, INT-18, INT-22, INT-25,
 * INT-27 and INT-28. The specification marks no member as required.
 */
export const successes: Readonly<Record<OperationName, Success>> = {
  createToken: {
    schema: "Token",
    types: [typed("AUTH-01", "")],
    facts: [
      needed("AUTH-01", "/token"),
      fact("AUTH-01", "/token", "is usable", {
        isRight: (token) => (typeof token === "string" ? isUsableToken(token) : undefined),
        right: "a string that is not empty and fits into a header",
        actual: (token) =>
          token === "" ? "an empty token" : "a token with characters that no header may have",
      }),
    ],
  },
  createCounterparty: {
    schema: "Counterparty",
    types: [
      typed("CPTY-01", "/id"),
      typed("CPTY-03", "/counterparty_address"),
      typed("CPTY-04", "/bank_account"),
      typed("CPTY-05", "/intermediary_bank"),
      typed("CPTY-02", ""),
    ],
    facts: [
      needed("CPTY-01", "/id"),
      repeated("CPTY-06", "/external_id"),
      repeated("CPTY-07", "/name"),
      repeated("CPTY-08", "/counterparty_address"),
      repeated("CPTY-09", "/bank_account"),
      repeated("CPTY-09", "/intermediary_bank"),
    ],
  },
  createOperation: {
    status: { requirement: "OPER-01", is: 200 },
    schema: "Operation",
    types: [
      typed("OPER-05", "/operation_id"),
      typed("OPER-11", "/bank_account"),
      typed("OPER-12", "/intermediary_bank"),
      typed("OPER-13", "/created_at"),
      typed("OPER-10", ""),
    ],
    facts: [
      needed("OPER-05", "/operation_id"),
      equal("OPER-02", "/status", "pending_quote", "another status"),
      equal("OPER-03", "/batch_id", null),
      needed("OPER-04", "/batch_id"),
      repeated("OPER-06", "/foreign_currency_amount", "currency_amount"),
      repeated("OPER-07", "/currency_pair"),
      repeated("OPER-08", "/operation_purpose"),
      repeated("OPER-09", "/counterparty_id"),
      fact("OPER-14", "/created_at", "in UTC", {
        isRight: (time) => (typeof time === "string" && isDateTime(time) ? isUtc(time) : undefined),
        right: "an RFC 3339 date-time in UTC: it ends in Z, +00:00 or -00:00",
        found: () => "another zone",
      }),
    ],
  },
  addAcamItem: {
    types: [],
    facts: [
      equal("ACAM-01", "/message", "ACAM item added successfully", "another text"),
      equal("ACAM-02", "/status", "success", "another text"),
    ],
  },
  createBatch: {
    status: { requirement: "BATCH-03", is: 201 },
    schema: "Batch",
    types: [
      typed("BATCH-01", "/id"),
      typed("BATCH-05", "/created_at"),
      ...batchTypes(""),
      typed("BATCH-04", ""),
    ],
    facts: [needed("BATCH-01", "/id"), repeated("BATCH-02", "/currency_pair"), ...batchFacts("")],
  },
  listBatches: {
    schema: "BatchList",
    types: [
      typed("BATCH-21", "/count"),
      typed("BATCH-22", "/total"),
      typed("BATCH-26", "/batches/*/created_at"),
      ...batchTypes("/batches/*"),
      typed("BATCH-23", "/batches/*/operations"),
      inside("BATCH-25", "/batches/*"),
      typed("BATCH-20", ""),
    ],
    facts: [
      needed("BATCH-20", "/batches"),
      needed("BATCH-21", "/count"),
      needed("BATCH-22", "/total"),
      needed("BATCH-23", "/batches/*/operations"),
      ...batchFacts("/batches/*"),
    ],
  },
};

/** A JSON pointer with a star in place of each index. */
export const starred = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
