import {
  inferred,
  ofAccount,
  ofBank,
  read,
  requirementRows,
  should,
  takes,
  type Requirement,
} from "../requirement.ts";

const every = {
  area: "counterparty",
  operations: ["createCounterparty"],
  shows: "every exchange",
} as const;
const endpoint = requirementRows({
  ...every,
  source: "Endpoints, 2",
  interpretations: ["INT-05", "INT-25"],
});
const resource = { ...every, source: "Resources, Counterparty" } as const;
const typed = requirementRows({ ...resource, interpretations: ["INT-07"] });
const echo = requirementRows({ ...resource, interpretations: ["INT-25"] });
const distinct = requirementRows({
  ...resource,
  interpretations: ["INT-21", "INT-35", "INT-67"],
  repeatable: false,
  takes: ["two things"],
});

export const counterparty = {
  "CPTY-01": endpoint("A registered counterparty is returned with its id, a string."),
  "CPTY-02": typed("The members of a returned counterparty have the stated types."),
  "CPTY-03": typed("A returned counterparty_address is an object whose members are strings.", {
    source: "Resources, CounterpartyAddress",
    ...takes("optional member"),
  }),
  "CPTY-04": typed(
    "The bank_account of a returned counterparty is a complete BankAccount.",
    ofAccount,
    takes("optional member"),
  ),
  "CPTY-05": typed(
    "The intermediary_bank of a returned counterparty is a complete Bank, or absent.",
    ofBank,
    takes("optional member"),
  ),
  "CPTY-06": echo("A returned external_id is the one that was sent.", takes("optional member")),
  "CPTY-07": echo("A returned name is the one that was sent.", should, takes("optional member")),
  "CPTY-08": echo(
    "A returned counterparty_address is the one that was sent.",
    should,
    takes("optional member"),
  ),
  "CPTY-09": echo("The returned banks are those that were sent.", should, takes("optional member")),
  "CPTY-10": distinct("Counterparties with different data have different ids."),
  "CPTY-11": distinct(
    "Counterparties registered at the same time have different ids, and each response belongs to its request.",
    { ...inferred, shows: "sequence", ...takes("two things", "two at once") },
  ),
  "CPTY-12": endpoint(
    "An error of the registration is an object with a string message.",
    read("INT-03", "INT-12"),
  ),
  "CPTY-13": distinct("The id of a new counterparty is not one that the request made up.", {
    ...inferred,
    shows: "sequence",
    ...read("INT-62"),
    ...takes("an accepted request that makes members up"),
  }),
} as const satisfies Record<string, Requirement>;
