import { rowsOf, type Requirement } from "../requirement.ts";

const every = { area: "counterparty", operations: ["createCounterparty"], shows: "every exchange" } as const;
const endpoint = rowsOf({ ...every, source: "Endpoints, 2", interpretations: ["INT-05", "INT-25"] });
const typed = rowsOf({ ...every, source: "Resources, Counterparty", interpretations: ["INT-07"] });
const echo = rowsOf({ ...every, source: "Resources, Counterparty", interpretations: ["INT-25"] });
const distinct = rowsOf({
  ...every,
  source: "Resources, Counterparty",
  interpretations: ["INT-21", "INT-35"],
  repeatable: false,
});

/** Registration of a counterparty. */
export const counterparty = {
  "CPTY-01": endpoint("MUST", "stated", "A registered counterparty is returned with its id, a string."),
  "CPTY-02": typed("MUST", "stated", "The members of a returned counterparty have the stated types."),
  "CPTY-03": typed("MUST", "stated", "A returned counterparty_address is an object whose members are strings.", {
    source: "Resources, CounterpartyAddress",
  }),
  "CPTY-04": typed("MUST", "stated", "The bank_account of a returned counterparty is a complete BankAccount.", {
    source: "Resources, BankAccount",
  }),
  "CPTY-05": typed(
    "MUST",
    "stated",
    "The intermediary_bank of a returned counterparty is a complete Bank, or absent.",
    { source: "Resources, Bank" },
  ),
  "CPTY-06": echo("MUST", "stated", "A returned external_id is the one that was sent."),
  "CPTY-07": echo("SHOULD", "inferred", "A returned name is the one that was sent."),
  "CPTY-08": echo("SHOULD", "inferred", "A returned counterparty_address is the one that was sent."),
  "CPTY-09": echo("SHOULD", "inferred", "The returned banks are those that were sent."),
  "CPTY-10": distinct("MUST", "stated", "Counterparties with different data have different ids."),
  "CPTY-11": distinct(
    "MUST",
    "inferred",
    "Counterparties registered at the same time have different ids, and each response belongs to its request.",
    { shows: "sequence" },
  ),
  "CPTY-12": endpoint("MUST", "stated", "An error of the registration is an object with a string message.", {
    interpretations: ["INT-03", "INT-12"],
  }),
} as const satisfies Record<string, Requirement>;
