import type { Basis, Level, Requirement } from "../requirement.ts";

const endpoint = "Endpoints, 4";
const row = (level: Level, basis: Basis, source: string, statement: string): Requirement => ({
  area: "acam",
  level,
  basis,
  source,
  statement,
});

/** ACAM items, which only operations with the purpose EFX take. */
export const acam = {
  "ACAM-01": row("MUST", "stated", endpoint, "The message of a success is exactly: ACAM item added successfully"),
  "ACAM-02": row("MUST", "stated", endpoint, "The status of a success is exactly: success"),
  "ACAM-03": row("MUST", "stated", endpoint, "An ACAM item for an operation whose purpose is not EFX is refused."),
  "ACAM-04": row("MUST", "inferred", endpoint, "An ACAM item for an operation that does not exist is refused."),
  "ACAM-05": row(
    "MUST",
    "inferred",
    endpoint,
    "An ACAM item goes by the purpose of the operation named in the path, whatever was created before or after it.",
  ),
  "ACAM-06": row("MUST", "stated", endpoint, "An error of the ACAM endpoint is an object with a string message."),
} as const satisfies Record<string, Requirement>;
