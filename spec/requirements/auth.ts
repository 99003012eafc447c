import type { OperationName } from "../operations.ts";
import { rowsOf, type Requirement } from "../requirement.ts";

const endpoint = { area: "auth", source: "Endpoints, 1", operations: ["createToken"] } as const;
const token = rowsOf({ ...endpoint, interpretations: ["INT-14"] });
const key = rowsOf({ ...endpoint, interpretations: ["INT-05", "INT-15"] });
const error = rowsOf({ ...endpoint, shows: "every exchange", interpretations: ["INT-03", "INT-12"] });

/** Makes the rows on bad Authorization headers for an endpoint that takes a token. */
const bearer = (operation: OperationName) =>
  rowsOf({ area: "auth", source: "Authentication", operations: [operation], interpretations: ["INT-05", "INT-17"] });
const operation = bearer("createOperation");
const counterparty = bearer("createCounterparty");
const acam = bearer("addAcamItem");
const batch = bearer("createBatch");
const list = bearer("listBatches");

/** API keys, tokens, and what the endpoints do with bad ones. */
export const auth = {
  "AUTH-01": token(
    "MUST",
    "stated",
    "The token endpoint answers a valid API key with a token: a string that is not empty.",
    { shows: "every exchange", interpretations: ["INT-05", "INT-14"] },
  ),
  "AUTH-02": token("MUST", "stated", "The token call works without a body and without a Content-Type."),
  "AUTH-03": token("MUST", "example", "The token call works with Content-Type: application/json and no body.", {
    source: "Authentication",
  }),
  "AUTH-04": token("MUST", "stated", "A token that was just issued is accepted by the other endpoints.", {
    source: "Authentication",
    interpretations: ["INT-14", "INT-16"],
    operations: ["createCounterparty", "createOperation", "addAcamItem", "createBatch", "listBatches"],
    shows: "every exchange",
    repeatable: false,
  }),
  "AUTH-05": key("MUST", "stated", "The token endpoint refuses a request without an API key."),
  "AUTH-06": key("MUST", "inferred", "The token endpoint refuses an empty API key."),
  "AUTH-07": key("MUST", "inferred", "The token endpoint refuses a truncated API key."),
  "AUTH-08": key("MUST", "inferred", "The token endpoint refuses a made-up API key."),
  "AUTH-09": key("MUST", "inferred", "The token endpoint refuses an API key with one character changed."),
  "AUTH-10": key("MUST", "inferred", "The token endpoint refuses an API key with characters appended."),
  "AUTH-11": key("SHOULD", "inferred", "The token endpoint treats API keys as case-sensitive."),
  "AUTH-12": error("MUST", "stated", "An error of the token endpoint is an object with a string message."),

  "AUTH-20": operation(
    "MUST",
    "stated",
    "POST /corporate/operation answers a request without Authorization with 401.",
    { source: "Endpoints, 3" },
  ),
  "AUTH-21": operation("MUST", "stated", "POST /corporate/operation answers a made-up token with 401.", {
    source: "Endpoints, 3",
  }),
  "AUTH-22": operation("MUST", "stated", "POST /corporate/operation answers a tampered token with 401.", {
    source: "Endpoints, 3",
  }),
  "AUTH-23": operation(
    "MUST",
    "stated",
    "POST /corporate/operation refuses an Authorization header of another form without a good token.",
  ),
  "AUTH-24": counterparty(
    "MUST",
    "stated",
    "POST /customers/{customer_id}/counterparty refuses a request without Authorization.",
    { source: "Endpoints" },
  ),
  "AUTH-25": counterparty("MUST", "inferred", "POST /customers/{customer_id}/counterparty refuses a made-up token."),
  "AUTH-26": counterparty("MUST", "inferred", "POST /customers/{customer_id}/counterparty refuses a tampered token."),
  "AUTH-27": counterparty(
    "MUST",
    "inferred",
    "POST /customers/{customer_id}/counterparty refuses an Authorization header of another form without a good token.",
  ),
  "AUTH-28": acam(
    "MUST",
    "stated",
    "POST /corporate/operation/{operation_id}/acam refuses a request without Authorization.",
    { source: "Endpoints" },
  ),
  "AUTH-29": acam("MUST", "inferred", "POST /corporate/operation/{operation_id}/acam refuses a made-up token."),
  "AUTH-30": acam("MUST", "inferred", "POST /corporate/operation/{operation_id}/acam refuses a tampered token."),
  "AUTH-31": acam(
    "MUST",
    "inferred",
    "POST /corporate/operation/{operation_id}/acam refuses an Authorization header of another form without a good token.",
  ),
  "AUTH-32": batch("MUST", "stated", "POST /batches refuses a request without Authorization.", { source: "Endpoints" }),
  "AUTH-33": batch("MUST", "inferred", "POST /batches refuses a made-up token."),
  "AUTH-34": batch("MUST", "inferred", "POST /batches refuses a tampered token."),
  "AUTH-35": batch(
    "MUST",
    "inferred",
    "POST /batches refuses an Authorization header of another form without a good token.",
  ),
  "AUTH-36": list("MUST", "stated", "GET /batches refuses a request without Authorization.", { source: "Endpoints" }),
  "AUTH-37": list("MUST", "inferred", "GET /batches refuses a made-up token."),
  "AUTH-38": list("MUST", "inferred", "GET /batches refuses a tampered token."),
  "AUTH-39": list(
    "MUST",
    "inferred",
    "GET /batches refuses an Authorization header of another form without a good token.",
  ),
  "AUTH-40": list("SHOULD", "inferred", "Tokens are case-sensitive.", { interpretations: ["INT-16", "INT-17"] }),
  "AUTH-41": list("SHOULD", "inferred", "A good token is refused with another scheme than Bearer.", {
    interpretations: ["INT-46"],
  }),
} as const satisfies Record<string, Requirement>;
