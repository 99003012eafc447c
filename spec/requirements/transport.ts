import { operationNames } from "../operations.ts";
import { inferred, read, requirementRows, type Requirement } from "../requirement.ts";

const every = { area: "transport", operations: operationNames, shows: "every exchange" } as const;
const body = requirementRows({ ...every, source: "Introduction", interpretations: ["INT-02"] });
const response = requirementRows({
  ...every,
  source: "Endpoints",
  interpretations: ["INT-04", "INT-34", "INT-38"],
});
const https = requirementRows({
  area: "transport",
  source: "Introduction",
  operations: [],
  interpretations: ["INT-10"],
  takes: ["https"],
});

export const transport = {
  "HTTP-01": body(
    "A response with a body has the media type application/json.",
    read("INT-01", "INT-55"),
  ),
  "HTTP-02": body("A body is one well-formed JSON text."),
  "HTTP-03": body("A body is encoded in UTF-8.", inferred),
  "HTTP-04": response("No request, valid or not, is answered with a 5xx status.", {
    ...inferred,
    source: "Errors",
    ...read("INT-04", "INT-24", "INT-38", "INT-41", "INT-44", "INT-47", "INT-56", "INT-66"),
  }),
  "HTTP-05": response(
    "Every request gets a response: the connection is neither dropped nor left hanging.",
    {
      ...inferred,
      repeatable: false,
    },
  ),
  "HTTP-06": response("A success carries a body.", read("INT-01", "INT-34", "INT-53")),
  "HTTP-07": https(
    "The address that serves the API over HTTPS does not serve it over plain HTTP.",
    {
      repeatable: false,
    },
  ),
} as const satisfies Record<string, Requirement>;
