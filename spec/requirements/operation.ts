import {
  inferred,
  ofAccount,
  ofBank,
  read,
  refuses,
  requirementRows,
  should,
  takes,
  type Requirement,
} from "../requirement.ts";

const area = { area: "operation", operations: ["createOperation"] } as const;
const endpoint = { ...area, source: "Endpoints, 3" } as const;
const ofOperation = { source: "Resources, Operation" } as const;
const resource = { ...area, ...ofOperation } as const;
const every = "every exchange";

const success = requirementRows({ ...endpoint, shows: every, interpretations: ["INT-18"] });
const member = requirementRows({ ...resource, shows: every, interpretations: ["INT-18"] });
const typed = requirementRows({ ...resource, shows: every, interpretations: ["INT-07"] });
const dated = requirementRows({
  ...resource,
  shows: every,
  interpretations: ["INT-08"],
  takes: ["optional member"],
});
const distinct = requirementRows({
  ...resource,
  interpretations: ["INT-21"],
  repeatable: false,
  takes: ["two things"],
});
const ofMistake = { ...endpoint, interpretations: ["INT-19"] } as const;
const invalid = requirementRows(ofMistake);
const doubtful = requirementRows({ ...endpoint, interpretations: ["INT-20"] });

/**
 * For each required member of an operation, the requirements that a request is refused if the
 * member is left out, null or of a wrong type (Endpoints, 3; INT-19).
 */
export const memberRefusals = {
  currency_amount: { omit: "OPER-20", null: "OPER-24", type: "OPER-28" },
  operation_purpose: { omit: "OPER-21", null: "OPER-25", type: "OPER-29" },
  currency_pair: { omit: "OPER-22", null: "OPER-26", type: "OPER-30" },
  counterparty_id: { omit: "OPER-23", null: "OPER-27", type: "OPER-31" },
} as const;

type OfMembers = (typeof memberRefusals)[keyof typeof memberRefusals];

/** The rows on required members, with this mistake in each of them. */
function ofMembers<Mistake extends keyof OfMembers>(
  mistake: Mistake,
  says: (name: string) => string,
  ...own: readonly Partial<Requirement>[]
) {
  const rows = Object.entries(memberRefusals).map(([name, ids]) => {
    const statement = `${says(name)} is answered with 400.`.replace(/^A (?=o)/, "An ");
    return [ids[mistake], invalid(statement, refuses(mistake), ...own)] as const;
  });
  return Object.fromEntries(rows) as Record<OfMembers[Mistake], Requirement>;
}

export const operation = {
  "OPER-01": success("A successful creation is answered with exactly 200."),
  "OPER-02": member("A new operation has the status pending_quote."),
  "OPER-03": member("A new operation is in no batch: its batch_id is null or absent."),
  "OPER-04": member("A new operation shows its batch_id as null.", should),
  "OPER-05": member(
    "A new operation is returned with its operation_id, a string.",
    inferred,
    read("INT-05", "INT-18"),
  ),
  "OPER-06": member(
    "A returned foreign_currency_amount is exactly the currency_amount that was sent.",
    read("INT-09", "INT-18"),
    takes("optional member"),
  ),
  "OPER-07": member(
    "A returned currency_pair is the one that was sent.",
    inferred,
    takes("optional member"),
  ),
  "OPER-08": member(
    "A returned operation_purpose is the one that was sent.",
    inferred,
    takes("optional member"),
  ),
  "OPER-09": member(
    "A returned counterparty_id is the one that was sent.",
    inferred,
    takes("optional member"),
  ),
  "OPER-10": typed("The members of a returned operation have the stated types."),
  "OPER-11": typed(
    "The bank_account of a returned operation is a complete BankAccount.",
    ofAccount,
    takes("optional member"),
  ),
  "OPER-12": typed(
    "The intermediary_bank of a returned operation is a complete Bank, null, or absent.",
    ofBank,
    takes("optional member"),
  ),
  "OPER-13": dated("The created_at of an operation is an RFC 3339 date-time with a zone."),
  "OPER-14": dated("The created_at of an operation is in UTC."),
  "OPER-15": distinct("Operations with different data have different ids.", { shows: every }),
  "OPER-16": distinct(
    "Operations created at the same time have different ids, and each response belongs to its request.",
    inferred,
    takes("two things", "two at once"),
  ),
  "OPER-17": success(
    "An error of the creation is an object with a string message.",
    read("INT-03", "INT-12"),
  ),

  ...ofMembers("omit", (name) => `A creation without ${name}`),
  ...ofMembers("null", (name) => `A ${name} of null`, inferred),
  ...ofMembers("type", (name) => {
    const type = name === "currency_amount" ? "number" : "string";
    return `A ${name} that is not a ${type}`;
  }),
  "OPER-32": invalid(
    "A creation whose body is JSON but not an object is answered with 400.",
    inferred,
    refuses("nonObject"),
  ),
  "OPER-33": invalid(
    "A creation with an empty body is answered with 400.",
    inferred,
    refuses("empty"),
  ),
  "OPER-34": invalid("A creation whose body is not well-formed JSON is answered with 400.", {
    ...inferred,
    ...read("INT-19", "INT-40", "INT-41", "INT-42"),
    ...refuses("malformed"),
  }),

  "OPER-40": doubtful("An amount of zero is refused.", should, refuses("amount")),
  "OPER-41": doubtful("A negative amount is refused.", should, refuses("amount")),
  "OPER-42": doubtful(
    "A currency pair that is not two joined currency codes is refused.",
    should,
    ofOperation,
    refuses("pair"),
  ),
  "OPER-43": doubtful(
    "A currency pair of codes that no currency has is refused.",
    should,
    ofOperation,
    refuses("pair"),
  ),
  "OPER-44": doubtful(
    "A counterparty that does not exist is refused.",
    should,
    read("INT-20", "INT-39"),
    refuses("unknown"),
  ),
  "OPER-45": distinct(
    "The operation_id and the created_at of a new operation are not those that the request made up.",
    {
      ...inferred,
      shows: "sequence",
      ...read("INT-62"),
      ...takes("an accepted request that makes members up"),
      onlyFull: true,
    },
  ),
} as const satisfies Record<string, Requirement>;
