import {
  example,
  inferred,
  ofAccount,
  ofBank,
  read,
  requirementRows,
  should,
  takes,
  type Requirement,
} from "../requirement.ts";

const both = ["createBatch", "listBatches"] as const;
const every = { area: "batches", shows: "every exchange" } as const;
const ofBatch = { source: "Resources, Batch" } as const;
const sequence = { area: "batches", operations: both, repeatable: false } as const;

const created = requirementRows({
  ...every,
  source: "Endpoints, 5",
  operations: ["createBatch"],
  interpretations: ["INT-27"],
});
const batch = requirementRows({
  ...every,
  ...ofBatch,
  operations: ["createBatch"],
  interpretations: ["INT-07"],
});
const distinct = requirementRows({
  ...sequence,
  ...ofBatch,
  interpretations: ["INT-21", "INT-27"],
  takes: ["two batches"],
});
const list = requirementRows({
  ...every,
  source: "Endpoints, 6",
  operations: ["listBatches"],
  interpretations: ["INT-28"],
});
const listed = requirementRows({
  ...every,
  ...ofBatch,
  operations: ["listBatches"],
  interpretations: ["INT-07"],
  takes: ["a listed batch"],
});
const appears = requirementRows({
  ...sequence,
  source: "Endpoints, 6",
  interpretations: ["INT-27", "INT-29", "INT-33", "INT-54"],
  takes: ["an own batch in the list", "optional member"],
});
const madeUp = takes("an accepted request that makes members up");
const batched = takes("a batch", "an operation in a batch");
const inside = requirementRows({
  ...every,
  source: "Resources, BatchOperation",
  operations: both,
  needs: ["createOperation"],
  interpretations: ["INT-07", "INT-12", "INT-40", "INT-52"],
  takes: ["a batch", "an operation in a batch", "optional member"],
});
const again = requirementRows({
  ...sequence,
  source: "Resources, BatchOperation",
  needs: ["createOperation"],
  interpretations: ["INT-12", "INT-40", "INT-60"],
  takes: ["a batch", "an own operation in a batch", "optional member"],
});

export const batches = {
  "BATCH-01": created(
    "A created batch is returned with its id, a string.",
    read("INT-05", "INT-27"),
  ),
  "BATCH-02": batch(
    "The currency_pair of a created batch is the one that was sent.",
    inferred,
    read("INT-27"),
    takes("optional member"),
  ),
  "BATCH-03": created(
    "The creation of a batch is answered with 201.",
    should,
    example,
    read("INT-06", "INT-27"),
  ),
  "BATCH-04": batch(
    "The members of a created batch have the stated types.",
    read("INT-07", "INT-09"),
  ),
  "BATCH-05": batch(
    "The created_at of a created batch is an RFC 3339 date-time with a zone.",
    read("INT-08"),
    takes("optional member"),
  ),
  "BATCH-06": distinct("Batches with different data have different ids.", {
    shows: "every exchange",
  }),
  "BATCH-07": distinct(
    "Batches created at the same time have different ids, and each response belongs to its request.",
    inferred,
    { operations: ["createBatch"] },
    takes("second pair", "two at once"),
  ),
  "BATCH-08": created(
    "An error of the batch creation is an object with a string message.",
    read("INT-03", "INT-12"),
  ),
  "BATCH-09": batch(
    "An operation_count is not negative.",
    should,
    { operations: both },
    read("INT-30"),
    takes("a batch", "optional member"),
  ),

  "BATCH-20": list("The list has batches, an array of objects."),
  "BATCH-21": list("The list has count, an integer.", read("INT-09", "INT-28")),
  "BATCH-22": list("The list has total, an integer.", read("INT-09", "INT-28")),
  "BATCH-23": list(
    "Each listed batch has operations, an array of objects.",
    takes("a listed batch"),
  ),
  "BATCH-24": appears(
    "A created batch appears in the list within the grace period.",
    inferred,
    takes("the whole list", "optional member"),
  ),
  "BATCH-25": listed(
    "The members of each listed batch have the stated types.",
    read("INT-07", "INT-09", "INT-12", "INT-40", "INT-52"),
  ),
  "BATCH-26": listed(
    "The created_at of each listed batch is an RFC 3339 date-time with a zone.",
    read("INT-08", "INT-12", "INT-40"),
    takes("a listed batch", "optional member"),
  ),
  "BATCH-27": appears(
    "A listed batch has the currency_pair that it was created with.",
    inferred,
    ofBatch,
    read("INT-27", "INT-29", "INT-33", "INT-51"),
  ),
  "BATCH-28": list(
    "An error of the list is an object with a string message.",
    read("INT-03", "INT-12"),
  ),

  "BATCH-30": inside("The members of each operation in a batch have the stated types.", batched),
  "BATCH-31": inside(
    "The created_at of each operation in a batch is an RFC 3339 date-time with a zone.",
    read("INT-08", "INT-12", "INT-40"),
  ),
  "BATCH-32": inside(
    "The bank_account of each operation in a batch is a complete BankAccount.",
    ofAccount,
  ),
  "BATCH-33": inside(
    "The intermediary_bank of each operation in a batch is a complete Bank, or absent.",
    ofBank,
  ),
  "BATCH-34": inside(
    "An operation in a batch has no operation_purpose.",
    read("INT-12", "INT-30", "INT-40"),
    batched,
  ),
  "BATCH-35": inside("The batch_id of an operation in a batch is the id of that batch.", {
    ...inferred,
    ...read("INT-12", "INT-30", "INT-40"),
  }),
  "BATCH-36": again(
    "An operation in a batch has the pair, the amount and the counterparty that it was created with.",
    should,
    read("INT-12", "INT-40", "INT-51"),
  ),
  "BATCH-37": appears(
    "A listed batch has the created_at that it was created with.",
    inferred,
    ofBatch,
    read("INT-12", "INT-33", "INT-40", "INT-59"),
  ),
  "BATCH-38": again(
    "An operation in a batch has the created_at that it was created with.",
    inferred,
    read("INT-12", "INT-40", "INT-59"),
  ),
  "BATCH-39": again(
    "An operation in a batch has the bank_account and the intermediary_bank that it was created with.",
    should,
  ),
  "BATCH-40": again(
    "The customer_id of an operation in a batch is that of the customer of its counterparty.",
    should,
    { needs: ["createCounterparty", "createOperation"] },
  ),
  "BATCH-41": again("An operation in a batch has the currency_pair of that batch.", should),
  "BATCH-42": batch(
    "An operation_count is not above the number of operations that are shown beside it.",
    should,
    { operations: both, shows: "sequence", repeatable: false, onlyFull: true },
    read("INT-12", "INT-30", "INT-40"),
    takes("a batch", "optional member"),
  ),
  "BATCH-43": again(
    "An operation that names its batch is in one batch at a time.",
    inferred,
    read("INT-12", "INT-40", "INT-61"),
  ),
  "BATCH-44": again(
    "An operation that does not name its batch is in one batch at a time.",
    should,
    read("INT-12", "INT-40", "INT-61"),
  ),
  "BATCH-45": appears(
    "The id, the status and the created_at of a new batch are not those that the request made up.",
    inferred,
    ofBatch,
    read("INT-62"),
    madeUp,
  ),
  "BATCH-46": appears(
    "A batch holds no operation that its request made up.",
    should,
    ofBatch,
    read("INT-62"),
    madeUp,
  ),
} as const satisfies Record<string, Requirement>;
