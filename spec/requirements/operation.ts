import type { Basis, Level, Requirement } from "../requirement.ts";

const resource = "Resources, Operation";
const endpoint = "Endpoints, 3";
const row = (level: Level, basis: Basis, source: string, statement: string): Requirement => ({
  area: "operation",
  level,
  basis,
  source,
  statement,
});

/** Creation of an operation. */
export const operation = {
  "OPER-01": row("MUST", "stated", endpoint, "A successful creation is answered with exactly 200."),
  "OPER-02": row("MUST", "stated", resource, "A new operation has the status pending_quote."),
  "OPER-03": row("MUST", "stated", resource, "A new operation is in no batch: its batch_id is not other than null."),
  "OPER-04": row("SHOULD", "inferred", resource, "A new operation shows its batch_id as null."),
  "OPER-05": row("MUST", "inferred", resource, "A new operation is returned with its operation_id, a string."),
  "OPER-06": row(
    "MUST",
    "stated",
    resource,
    "A returned foreign_currency_amount is exactly the currency_amount that was sent.",
  ),
  "OPER-07": row("MUST", "inferred", resource, "A returned currency_pair is the one that was sent."),
  "OPER-08": row("MUST", "inferred", resource, "A returned operation_purpose is the one that was sent."),
  "OPER-09": row("MUST", "inferred", resource, "A returned counterparty_id is the one that was sent."),
  "OPER-10": row("MUST", "stated", resource, "The members of a returned operation have the stated types."),
  "OPER-11": row(
    "MUST",
    "stated",
    "Resources, BankAccount",
    "The bank_account of a returned operation is a complete BankAccount.",
  ),
  "OPER-12": row(
    "MUST",
    "stated",
    "Resources, Bank",
    "The intermediary_bank of a returned operation is a complete Bank, null, or absent.",
  ),
  "OPER-13": row("MUST", "stated", resource, "The created_at of an operation is an RFC 3339 date-time with a zone."),
  "OPER-14": row("MUST", "stated", resource, "The created_at of an operation is in UTC."),
  "OPER-15": row("MUST", "stated", resource, "Operations with different data have different ids."),
  "OPER-16": row(
    "MUST",
    "inferred",
    resource,
    "Operations created at the same time have ids of their own, and each answer belongs to its request.",
  ),
  "OPER-17": row("MUST", "stated", endpoint, "An error of the creation is an object with a string message."),

  "OPER-20": row("MUST", "stated", endpoint, "A creation without currency_amount is answered with 400."),
  "OPER-21": row("MUST", "stated", endpoint, "A creation without operation_purpose is answered with 400."),
  "OPER-22": row("MUST", "stated", endpoint, "A creation without currency_pair is answered with 400."),
  "OPER-23": row("MUST", "stated", endpoint, "A creation without counterparty_id is answered with 400."),
  "OPER-24": row("MUST", "inferred", endpoint, "A currency_amount of null is answered with 400."),
  "OPER-25": row("MUST", "inferred", endpoint, "An operation_purpose of null is answered with 400."),
  "OPER-26": row("MUST", "inferred", endpoint, "A currency_pair of null is answered with 400."),
  "OPER-27": row("MUST", "inferred", endpoint, "A counterparty_id of null is answered with 400."),
  "OPER-28": row("MUST", "stated", endpoint, "A currency_amount that is no number is answered with 400."),
  "OPER-29": row("MUST", "stated", endpoint, "An operation_purpose that is no string is answered with 400."),
  "OPER-30": row("MUST", "stated", endpoint, "A currency_pair that is no string is answered with 400."),
  "OPER-31": row("MUST", "stated", endpoint, "A counterparty_id that is no string is answered with 400."),
  "OPER-32": row("MUST", "inferred", endpoint, "A creation whose body is JSON but no object is answered with 400."),
  "OPER-33": row("MUST", "inferred", endpoint, "A creation with an empty body is answered with 400."),
  "OPER-34": row("MUST", "inferred", endpoint, "A creation whose body is not well-formed JSON is answered with 400."),

  "OPER-40": row("SHOULD", "inferred", endpoint, "An amount of zero is refused."),
  "OPER-41": row("SHOULD", "inferred", endpoint, "A negative amount is refused."),
  "OPER-42": row("SHOULD", "inferred", resource, "A currency pair that is not two joined currency codes is refused."),
  "OPER-43": row("SHOULD", "inferred", resource, "A currency pair of codes that no currency has is refused."),
  "OPER-44": row("SHOULD", "inferred", endpoint, "A counterparty that does not exist is refused."),
} as const satisfies Record<string, Requirement>;
