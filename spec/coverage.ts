import type { RequirementId } from "./catalogue.ts";
import type { QuestionId } from "./questions.ts";

/** Where a text that binds a server ends up: in requirements, in questions, or, with the reason, in neither. */
export interface Covered {
  /** What the text is about, in our words. */
  readonly about: string;
  readonly requirements: readonly RequirementId[];
  readonly questions: readonly QuestionId[];
  /** Why what is left of it cannot be tested, or where else it is kept. */
  readonly reason?: string;
}

const covered = (
  about: string,
  requirements: readonly RequirementId[],
  questions: readonly QuestionId[] = [],
  reason?: string,
): Covered => ({ about, requirements, questions, ...(reason === undefined ? {} : { reason }) });

const ours = "It binds the suite, not the server; our own tests hold it.";

/** The parts of the specification, by their headings. */
export const sections: Readonly<Record<string, Covered>> = {
  Introduction: covered("HTTPS and JSON", ["HTTP-01", "HTTP-02", "HTTP-03", "HTTP-07"]),
  "What the service does": covered(
    "six things a client can do",
    ["AUTH-01", "CPTY-01", "OPER-01", "ACAM-01", "BATCH-01", "BATCH-20"],
    [],
    "How keys are handed out is outside the interface.",
  ),
  "Resources, Operation": covered(
    "members of an operation and what a new one is",
    [
      "OPER-02",
      "OPER-03",
      "OPER-04",
      "OPER-05",
      "OPER-06",
      "OPER-07",
      "OPER-08",
      "OPER-09",
      "OPER-10",
      "OPER-13",
      "OPER-14",
      "OPER-15",
    ],
    ["OPEN-01", "OPEN-02", "OPEN-33", "OPEN-34", "OPEN-40"],
  ),
  "Resources, BankAccount": covered("its members and which are required", ["CPTY-04", "OPER-11", "BATCH-32"]),
  "Resources, Bank": covered("its members and where it may be null", ["CPTY-05", "OPER-12", "BATCH-33"]),
  "Resources, CounterpartyAddress": covered("its members", ["CPTY-03", "CPTY-08"]),
  "Resources, Counterparty": covered(
    "its members",
    ["CPTY-01", "CPTY-02", "CPTY-06", "CPTY-07", "CPTY-09", "CPTY-10", "CPTY-11"],
    ["OPEN-04", "OPEN-31", "OPEN-38"],
  ),
  "Resources, ACAM item": covered("its members, of which nothing more is said", ["HTTP-04"], ["OPEN-05", "OPEN-06"]),
  "Resources, Batch": covered(
    "members of a batch and of the operations in it",
    [
      "BATCH-02",
      "BATCH-04",
      "BATCH-05",
      "BATCH-06",
      "BATCH-09",
      "BATCH-25",
      "BATCH-26",
      "BATCH-30",
      "BATCH-31",
      "BATCH-34",
      "BATCH-35",
    ],
    ["OPEN-03"],
  ),
  "Resources, Error and Token response": covered("a message, a token", [
    "AUTH-01",
    "AUTH-12",
    "CPTY-12",
    "OPER-17",
    "ACAM-06",
    "BATCH-08",
    "BATCH-28",
  ]),
  "States and transitions": covered("pending_quote and nothing else", ["OPER-02"], ["OPEN-01", "OPEN-03", "OPEN-41"]),
  Endpoints: covered(
    "the Authorization header; nothing of other methods, members and media types",
    ["AUTH-20", "AUTH-24"],
    ["OPEN-35", "OPEN-36", "OPEN-37"],
  ),
  "Endpoints, 1": covered("the token call", ["AUTH-01", "AUTH-02", "AUTH-05", "AUTH-12"], ["OPEN-07"]),
  "Endpoints, 2": covered("the registration", ["CPTY-01", "CPTY-12", "AUTH-24"], ["OPEN-08", "OPEN-09"]),
  "Endpoints, 3": covered("the creation of an operation", [
    "OPER-01",
    "OPER-17",
    "OPER-20",
    "OPER-21",
    "OPER-22",
    "OPER-23",
    "OPER-28",
    "OPER-29",
    "OPER-30",
    "OPER-31",
    "AUTH-20",
    "AUTH-21",
  ]),
  "Endpoints, 4": covered(
    "ACAM items and whom they are for",
    ["ACAM-01", "ACAM-02", "ACAM-03", "ACAM-04", "ACAM-05", "ACAM-06", "AUTH-28"],
    ["OPEN-10", "OPEN-11", "OPEN-30"],
  ),
  "Endpoints, 5": covered(
    "the creation of a batch",
    ["BATCH-01", "BATCH-03", "BATCH-08", "AUTH-32"],
    ["OPEN-12", "OPEN-13", "OPEN-14", "OPEN-32", "OPEN-39"],
  ),
  "Endpoints, 6": covered(
    "the list",
    ["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23", "BATCH-24", "BATCH-27", "BATCH-28", "AUTH-36"],
    ["OPEN-15", "OPEN-16", "OPEN-17", "OPEN-18"],
  ),
  Authentication: covered(
    "tokens and how they are sent",
    ["AUTH-03", "AUTH-04", "AUTH-20", "AUTH-21", "AUTH-22", "AUTH-23"],
    ["OPEN-19", "OPEN-20", "OPEN-21", "OPEN-22", "OPEN-24"],
  ),
  Events: covered("nothing is shown", [], ["OPEN-42"]),
  Errors: covered(
    "400 and 401, and the shape of all errors",
    ["OPER-17", "OPER-20", "AUTH-20", "HTTP-04"],
    ["OPEN-26"],
  ),
  Limits: covered("nothing is shown", [], ["OPEN-27", "OPEN-28", "OPEN-29", "OPEN-44"]),
  Versioning: covered("a label, and paths without version", [], ["OPEN-43"], "Two addresses are two runs."),
};

const bearer: readonly RequirementId[] = [
  ...([
    "AUTH-20",
    "AUTH-21",
    "AUTH-22",
    "AUTH-23",
    "AUTH-24",
    "AUTH-25",
    "AUTH-26",
    "AUTH-27",
    "AUTH-28",
    "AUTH-29",
  ] as const),
  ...([
    "AUTH-30",
    "AUTH-31",
    "AUTH-32",
    "AUTH-33",
    "AUTH-34",
    "AUTH-35",
    "AUTH-36",
    "AUTH-37",
    "AUTH-38",
    "AUTH-39",
  ] as const),
];

const errors: readonly RequirementId[] = ["AUTH-12", "CPTY-12", "OPER-17", "ACAM-06", "BATCH-08", "BATCH-28"];

/** The rulings, by their numbers. */
export const rulings: Readonly<Record<number, Covered>> = {
  1: covered("media type; a success has a body", ["HTTP-01", "HTTP-06"]),
  2: covered("JSON in UTF-8", ["HTTP-02", "HTTP-03"]),
  3: covered("error bodies", errors, ["OPEN-26"]),
  4: covered("5xx, dropped and missing answers", ["HTTP-04", "HTTP-05"]),
  5: covered(
    "a refusal is a 4xx",
    [...bearer, "ACAM-03", "ACAM-04", "AUTH-05"],
    [],
    "A 2xx that tells of a failure lacks what a success must have, and falls to that requirement.",
  ),
  6: covered(
    "status codes that nobody stated",
    ["BATCH-03"],
    ["OPEN-07", "OPEN-08", "OPEN-09", "OPEN-10", "OPEN-11", "OPEN-12", "OPEN-13", "OPEN-15"],
  ),
  7: covered("types and required members at any depth", [
    "CPTY-02",
    "CPTY-03",
    "CPTY-04",
    "CPTY-05",
    "OPER-10",
    "OPER-11",
    "OPER-12",
    "BATCH-04",
    "BATCH-25",
    "BATCH-30",
    "BATCH-32",
    "BATCH-33",
  ]),
  8: covered("date-times", ["OPER-13", "OPER-14", "BATCH-05", "BATCH-26", "BATCH-31"]),
  9: covered("integers and exact amounts", ["OPER-06", "BATCH-21", "BATCH-22", "BATCH-04", "BATCH-25"]),
  10: covered("HTTPS alone", ["HTTP-07"]),
  11: covered("refused valid requests", [], ["OPEN-22", "OPEN-29"], ours),
  12: covered("answers to broken requests", errors, [], ours),
  13: covered("requests for patience", [], ["OPEN-27"], ours),
  14: covered("the token call", ["AUTH-01", "AUTH-02", "AUTH-03", "AUTH-04"]),
  15: covered("bad keys", ["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10", "AUTH-11"], ["OPEN-07"]),
  16: covered("tokens are opaque", [], ["OPEN-19", "OPEN-20", "OPEN-21"], ours),
  17: covered("bad tokens", [...bearer, "AUTH-40"], ["OPEN-23", "OPEN-24", "OPEN-25"]),
  18: covered(
    "a new operation",
    ["OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-05", "OPER-06", "OPER-07", "OPER-08", "OPER-09"],
    ["OPEN-33", "OPEN-34", "OPEN-40"],
  ),
  19: covered("creations that must be answered with 400", [
    "OPER-20",
    "OPER-21",
    "OPER-22",
    "OPER-23",
    "OPER-24",
    "OPER-25",
    "OPER-26",
    "OPER-27",
    "OPER-28",
    "OPER-29",
    "OPER-30",
    "OPER-31",
    "OPER-32",
    "OPER-33",
    "OPER-34",
  ]),
  20: covered("creations that had better be refused", [
    "OPER-40",
    "OPER-41",
    "OPER-42",
    "OPER-43",
    "OPER-44",
    "HTTP-04",
  ]),
  21: covered("ids of their own", ["CPTY-10", "CPTY-11", "OPER-15", "OPER-16", "BATCH-06", "BATCH-07"]),
  22: covered("the texts of an ACAM success", ["ACAM-01", "ACAM-02"]),
  23: covered("EFX alone", ["ACAM-03", "ACAM-04", "ACAM-05"], ["OPEN-02"]),
  24: covered("ACAM items of which nothing is said", ["HTTP-04"], ["OPEN-05", "OPEN-06", "OPEN-30"]),
  25: covered("a returned counterparty", ["CPTY-01", "CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"]),
  26: covered("required members and ids of the client", [], ["OPEN-04", "OPEN-31"]),
  27: covered("a created batch", ["BATCH-01", "BATCH-02"], ["OPEN-32"]),
  28: covered("members of the list", ["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23"], ["OPEN-16"]),
  29: covered("a created batch is listed", ["BATCH-24"], ["OPEN-18"]),
  30: covered("operations in a batch", ["BATCH-09", "BATCH-34", "BATCH-35"]),
  31: covered("what is sent as valid", [], ["OPEN-28"], ours),
  32: covered("how the suite behaves on the wire", [], [], ours),
  33: covered("slow, paged, large and old lists", [], ["OPEN-18"], ours),
};
