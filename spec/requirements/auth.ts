import type { Requirement } from "../requirement.ts";

const row = <const L extends Requirement["level"]>(
  level: L,
  basis: Requirement["basis"],
  source: string,
  statement: string,
): Requirement => ({ area: "auth", level, basis, source, statement });

const token = "Endpoints, 1";
const bearer = "Authentication";

/** Keys, tokens, and who is let in. */
export const auth = {
  "AUTH-01": row(
    "MUST",
    "stated",
    token,
    "The token endpoint answers a valid API key with a token: a string that is not empty.",
  ),
  "AUTH-02": row("MUST", "stated", token, "The token call works without a body and without a Content-Type."),
  "AUTH-03": row("MUST", "example", bearer, "The token call works with Content-Type: application/json and no body."),
  "AUTH-04": row("MUST", "stated", bearer, "A token that was just issued is accepted by the other endpoints."),
  "AUTH-05": row("MUST", "stated", token, "The token endpoint refuses a request without an API key."),
  "AUTH-06": row("MUST", "inferred", token, "The token endpoint refuses an empty API key."),
  "AUTH-07": row("MUST", "inferred", token, "The token endpoint refuses a truncated API key."),
  "AUTH-08": row("MUST", "inferred", token, "The token endpoint refuses a made-up API key."),
  "AUTH-09": row("MUST", "inferred", token, "The token endpoint refuses an API key with one character changed."),
  "AUTH-10": row("MUST", "inferred", token, "The token endpoint refuses an API key with characters appended."),
  "AUTH-11": row("SHOULD", "inferred", token, "The token endpoint compares API keys with regard to letter case."),
  "AUTH-12": row("MUST", "stated", token, "An error of the token endpoint is an object with a string message."),

  "AUTH-20": row(
    "MUST",
    "stated",
    "Endpoints, 3",
    "POST /corporate/operation answers a request without Authorization with 401.",
  ),
  "AUTH-21": row("MUST", "stated", "Endpoints, 3", "POST /corporate/operation answers a made-up token with 401."),
  "AUTH-22": row("MUST", "stated", "Endpoints, 3", "POST /corporate/operation answers a tampered token with 401."),
  "AUTH-23": row(
    "MUST",
    "stated",
    bearer,
    "POST /corporate/operation refuses an Authorization header that is not a bearer token.",
  ),
  "AUTH-24": row(
    "MUST",
    "stated",
    "Endpoints",
    "POST /customers/{customer_id}/counterparty refuses a request without Authorization.",
  ),
  "AUTH-25": row("MUST", "inferred", bearer, "POST /customers/{customer_id}/counterparty refuses a made-up token."),
  "AUTH-26": row("MUST", "inferred", bearer, "POST /customers/{customer_id}/counterparty refuses a tampered token."),
  "AUTH-27": row(
    "MUST",
    "inferred",
    bearer,
    "POST /customers/{customer_id}/counterparty refuses an Authorization header that is not a bearer token.",
  ),
  "AUTH-28": row(
    "MUST",
    "stated",
    "Endpoints",
    "POST /corporate/operation/{operation_id}/acam refuses a request without Authorization.",
  ),
  "AUTH-29": row("MUST", "inferred", bearer, "POST /corporate/operation/{operation_id}/acam refuses a made-up token."),
  "AUTH-30": row("MUST", "inferred", bearer, "POST /corporate/operation/{operation_id}/acam refuses a tampered token."),
  "AUTH-31": row(
    "MUST",
    "inferred",
    bearer,
    "POST /corporate/operation/{operation_id}/acam refuses an Authorization header that is not a bearer token.",
  ),
  "AUTH-32": row("MUST", "stated", "Endpoints", "POST /batches refuses a request without Authorization."),
  "AUTH-33": row("MUST", "inferred", bearer, "POST /batches refuses a made-up token."),
  "AUTH-34": row("MUST", "inferred", bearer, "POST /batches refuses a tampered token."),
  "AUTH-35": row(
    "MUST",
    "inferred",
    bearer,
    "POST /batches refuses an Authorization header that is not a bearer token.",
  ),
  "AUTH-36": row("MUST", "stated", "Endpoints", "GET /batches refuses a request without Authorization."),
  "AUTH-37": row("MUST", "inferred", bearer, "GET /batches refuses a made-up token."),
  "AUTH-38": row("MUST", "inferred", bearer, "GET /batches refuses a tampered token."),
  "AUTH-39": row(
    "MUST",
    "inferred",
    bearer,
    "GET /batches refuses an Authorization header that is not a bearer token.",
  ),
  "AUTH-40": row("SHOULD", "inferred", bearer, "Tokens are compared with regard to letter case."),
} as const satisfies Record<string, Requirement>;
