import type { Requirement } from "../requirement.ts";

/** What holds for every answer of every endpoint. */
export const transport = {
  "HTTP-01": {
    area: "transport",
    level: "MUST",
    basis: "stated",
    source: "Introduction",
    statement: "An answer with a body has the media type application/json.",
  },
  "HTTP-02": {
    area: "transport",
    level: "MUST",
    basis: "stated",
    source: "Introduction",
    statement: "A body is one well-formed JSON text.",
  },
  "HTTP-03": {
    area: "transport",
    level: "MUST",
    basis: "inferred",
    source: "Introduction",
    statement: "A body is encoded in UTF-8.",
  },
  "HTTP-04": {
    area: "transport",
    level: "MUST",
    basis: "inferred",
    source: "Errors",
    statement: "No request, valid or not, is answered with a 5xx status.",
  },
  "HTTP-05": {
    area: "transport",
    level: "MUST",
    basis: "inferred",
    source: "Endpoints",
    statement: "Every request gets an answer: the connection is neither dropped nor left hanging.",
  },
  "HTTP-06": {
    area: "transport",
    level: "MUST",
    basis: "stated",
    source: "Endpoints",
    statement: "A success carries a body.",
  },
  "HTTP-07": {
    area: "transport",
    level: "MUST",
    basis: "stated",
    source: "Introduction",
    statement: "The address that serves the API over HTTPS does not serve it over plain HTTP.",
  },
} as const satisfies Record<string, Requirement>;
