import type { Basis, Level, Requirement } from "../requirement.ts";

const resource = "Resources, Batch";
const create = "Endpoints, 5";
const list = "Endpoints, 6";
const row = (level: Level, basis: Basis, source: string, statement: string): Requirement => ({
  area: "batches",
  level,
  basis,
  source,
  statement,
});

/** Creation and listing of batches. */
export const batches = {
  "BATCH-01": row("MUST", "stated", create, "A created batch is returned with its id, a string."),
  "BATCH-02": row("MUST", "inferred", resource, "The currency_pair of a created batch is the one that was sent."),
  "BATCH-03": row("SHOULD", "example", create, "The creation of a batch is answered with 201."),
  "BATCH-04": row("MUST", "stated", resource, "The members of a created batch have the stated types."),
  "BATCH-05": row(
    "MUST",
    "stated",
    resource,
    "The created_at of a created batch is an RFC 3339 date-time with a zone.",
  ),
  "BATCH-06": row("MUST", "stated", resource, "Batches with different data have different ids."),
  "BATCH-07": row(
    "MUST",
    "inferred",
    resource,
    "Batches created at the same time have ids of their own, and each answer belongs to its request.",
  ),
  "BATCH-08": row("MUST", "stated", create, "An error of the batch creation is an object with a string message."),
  "BATCH-09": row("SHOULD", "inferred", resource, "An operation_count is not negative."),

  "BATCH-20": row("MUST", "stated", list, "The list has batches, an array of objects."),
  "BATCH-21": row("MUST", "stated", list, "The list has count, an integer."),
  "BATCH-22": row("MUST", "stated", list, "The list has total, an integer."),
  "BATCH-23": row("MUST", "stated", list, "Each listed batch has operations, an array of objects."),
  "BATCH-24": row("MUST", "inferred", list, "A created batch appears in the list within the grace period."),
  "BATCH-25": row("MUST", "stated", resource, "The members of each listed batch have the stated types."),
  "BATCH-26": row(
    "MUST",
    "stated",
    resource,
    "The created_at of each listed batch is an RFC 3339 date-time with a zone.",
  ),
  "BATCH-27": row("MUST", "inferred", resource, "A listed batch has the currency_pair that it was created with."),
  "BATCH-28": row("MUST", "stated", list, "An error of the list is an object with a string message."),

  "BATCH-30": row(
    "MUST",
    "stated",
    "Resources, BatchOperation",
    "The members of each operation in a batch have the stated types.",
  ),
  "BATCH-31": row(
    "MUST",
    "stated",
    "Resources, BatchOperation",
    "The created_at of each operation in a batch is an RFC 3339 date-time with a zone.",
  ),
  "BATCH-32": row(
    "MUST",
    "stated",
    "Resources, BankAccount",
    "The bank_account of each operation in a batch is a complete BankAccount.",
  ),
  "BATCH-33": row(
    "MUST",
    "stated",
    "Resources, Bank",
    "The intermediary_bank of each operation in a batch is a complete Bank, or absent.",
  ),
  "BATCH-34": row("MUST", "stated", "Resources, BatchOperation", "An operation in a batch has no operation_purpose."),
  "BATCH-35": row(
    "MUST",
    "inferred",
    "Resources, BatchOperation",
    "The batch_id of an operation in a batch is the id of that batch.",
  ),
} as const satisfies Record<string, Requirement>;
