import {
  inferred,
  read,
  refuses,
  requirementRows,
  takes,
  type Requirement,
} from "../requirement.ts";

const endpoint = { area: "acam", source: "Endpoints, 4", operations: ["addAcamItem"] } as const;
const success = requirementRows({
  ...endpoint,
  shows: "every exchange",
  interpretations: ["INT-22"],
});
const purpose = requirementRows({
  ...endpoint,
  interpretations: ["INT-05", "INT-23", "INT-36"],
  takes: ["another purpose"],
  refuses: "purpose",
});
const error = requirementRows({
  ...endpoint,
  shows: "every exchange",
  interpretations: ["INT-03", "INT-12", "INT-24"],
});

export const acam = {
  "ACAM-01": success("The message of a success is exactly: ACAM item added successfully"),
  "ACAM-02": success("The status of a success is exactly: success"),
  "ACAM-03": purpose("An ACAM item for an operation whose purpose is not EFX is refused."),
  "ACAM-04": purpose("An ACAM item for an operation that does not exist is refused.", {
    ...inferred,
    ...read("INT-05", "INT-23", "INT-36", "INT-39"),
    ...refuses("unknown"),
    ...takes(),
  }),
  "ACAM-05": purpose(
    "Whether an ACAM item is refused depends on the operation in the path alone, not on what was created before or after.",
    { ...inferred, repeatable: false },
  ),
  "ACAM-06": error("An error of the ACAM endpoint is an object with a string message."),
} as const satisfies Record<string, Requirement>;
