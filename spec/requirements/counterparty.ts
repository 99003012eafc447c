import type { Basis, Level, Requirement } from "../requirement.ts";

const resource = "Resources, Counterparty";
const endpoint = "Endpoints, 2";
const row = (level: Level, basis: Basis, source: string, statement: string): Requirement => ({
  area: "counterparty",
  level,
  basis,
  source,
  statement,
});

/** Registration of a counterparty. */
export const counterparty = {
  "CPTY-01": row("MUST", "stated", endpoint, "A registered counterparty is returned with its id, a string."),
  "CPTY-02": row("MUST", "stated", resource, "The members of a returned counterparty have the stated types."),
  "CPTY-03": row(
    "MUST",
    "stated",
    "Resources, CounterpartyAddress",
    "A returned counterparty_address is an object whose members are strings.",
  ),
  "CPTY-04": row(
    "MUST",
    "stated",
    "Resources, BankAccount",
    "The bank_account of a returned counterparty is a complete BankAccount.",
  ),
  "CPTY-05": row(
    "MUST",
    "stated",
    "Resources, Bank",
    "The intermediary_bank of a returned counterparty is a complete Bank, or absent.",
  ),
  "CPTY-06": row("MUST", "stated", resource, "A returned external_id is the one that was sent."),
  "CPTY-07": row("SHOULD", "inferred", resource, "A returned name is the one that was sent."),
  "CPTY-08": row("SHOULD", "inferred", resource, "A returned counterparty_address is the one that was sent."),
  "CPTY-09": row("SHOULD", "inferred", resource, "The returned banks are those that were sent."),
  "CPTY-10": row("MUST", "stated", resource, "Counterparties with different data have different ids."),
  "CPTY-11": row(
    "MUST",
    "inferred",
    resource,
    "Counterparties registered at the same time have ids of their own, and each answer belongs to its request.",
  ),
  "CPTY-12": row("MUST", "stated", endpoint, "An error of the registration is an object with a string message."),
} as const satisfies Record<string, Requirement>;
