import { operationNames } from "../operations.ts";
import { rowsOf, type Requirement } from "../requirement.ts";

const every = { area: "transport", operations: operationNames, shows: "every exchange" } as const;
const body = rowsOf({ ...every, source: "Introduction", interpretations: ["INT-02"] });
const response = rowsOf({ ...every, source: "Endpoints", interpretations: ["INT-04", "INT-34", "INT-38"] });
const https = rowsOf({ area: "transport", source: "Introduction", operations: [], interpretations: ["INT-10"] });

/** HTTP, JSON and HTTPS: requirements on every endpoint. */
export const transport = {
  "HTTP-01": body("MUST", "stated", "A response with a body has the media type application/json.", {
    interpretations: ["INT-01"],
  }),
  "HTTP-02": body("MUST", "stated", "A body is one well-formed JSON text."),
  "HTTP-03": body("MUST", "inferred", "A body is encoded in UTF-8."),
  "HTTP-04": response("MUST", "inferred", "No request, valid or not, is answered with a 5xx status.", {
    source: "Errors",
    interpretations: ["INT-04", "INT-24", "INT-38", "INT-41", "INT-44"],
  }),
  "HTTP-05": response(
    "MUST",
    "inferred",
    "Every request gets a response: the connection is neither dropped nor left hanging.",
    { repeatable: false },
  ),
  "HTTP-06": response("MUST", "stated", "A success carries a body.", { interpretations: ["INT-01", "INT-34"] }),
  "HTTP-07": https("MUST", "stated", "The address that serves the API over HTTPS does not serve it over plain HTTP.", {
    repeatable: false,
  }),
} as const satisfies Record<string, Requirement>;
