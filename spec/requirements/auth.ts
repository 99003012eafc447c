import { operationTitle, type OperationName, type TokenOperation } from "../operations.ts";
import {
  example,
  inferred,
  read,
  requirementRows,
  should,
  takes,
  type Requirement,
} from "../requirement.ts";

const endpoint = { area: "auth", source: "Endpoints, 1", operations: ["createToken"] } as const;
const token = requirementRows({ ...endpoint, interpretations: ["INT-14"] });
const key = requirementRows({
  ...endpoint,
  interpretations: ["INT-05", "INT-15"],
  refuses: "credentials",
});
const error = requirementRows({
  ...endpoint,
  shows: "every exchange",
  interpretations: ["INT-03", "INT-12"],
});

/** Returns a function that makes rows on the bad Authorization headers that an endpoint gets. */
function bad(operation: OperationName) {
  return requirementRows({
    area: "auth",
    source: "Authentication",
    operations: [operation],
    interpretations: ["INT-05", "INT-17"],
    refuses: "credentials",
  });
}

/** Takes a key or a token of which another one can be made that is nearly the same. */
const near = takes("a near credential");
const good = bad("listBatches");

/**
 * For each operation with a token, the requirements that it refuses a request without one, a
 * made-up, a tampered and a malformed one; and with which status, if one is stated.
 */
export const tokenRefusals = {
  createOperation: {
    missing: "AUTH-20",
    madeUp: "AUTH-21",
    tampered: "AUTH-22",
    malformed: "AUTH-23",
    exactly: 401,
  },
  createCounterparty: {
    missing: "AUTH-24",
    madeUp: "AUTH-25",
    tampered: "AUTH-26",
    malformed: "AUTH-27",
  },
  addAcamItem: { missing: "AUTH-28", madeUp: "AUTH-29", tampered: "AUTH-30", malformed: "AUTH-31" },
  createBatch: { missing: "AUTH-32", madeUp: "AUTH-33", tampered: "AUTH-34", malformed: "AUTH-35" },
  listBatches: { missing: "AUTH-36", madeUp: "AUTH-37", tampered: "AUTH-38", malformed: "AUTH-39" },
} as const satisfies Record<TokenOperation, object>;

type OfTokens = (typeof tokenRefusals)[TokenOperation];
type OfTokensId = OfTokens["missing" | "madeUp" | "tampered" | "malformed"];

/** The rows on bad tokens. Where a status is stated, all that lacks a good token is. */
const ofTokens = Object.fromEntries(
  Object.entries(tokenRefusals).flatMap(([name, ids]) => {
    const operation = name as TokenOperation;
    const title = operationTitle(operation);
    const isStated = "exactly" in ids;
    const row = (what: string, ...own: readonly Partial<Requirement>[]): Requirement =>
      bad(operation)(
        isStated ? `${title} answers ${what} with 401.` : `${title} refuses ${what}.`,
        ...own,
      );
    const basis = isStated ? ({ source: "Endpoints, 3" } as const) : inferred;
    const other = "an Authorization header of another form without a good token";
    return [
      [
        ids.missing,
        row("a request without Authorization", {
          source: isStated ? "Endpoints, 3" : "Endpoints",
        }),
      ],
      [ids.madeUp, row("a made-up token", basis)],
      [ids.tampered, row("a tampered token", basis, near)],
      [ids.malformed, bad(operation)(`${title} refuses ${other}.`, isStated ? {} : inferred)],
    ] as const;
  }),
) as Record<OfTokensId, Requirement>;

export const auth = {
  "AUTH-01": token(
    "The token endpoint answers a valid API key with a token: a string that is not empty.",
    {
      shows: "every exchange",
      ...read("INT-05", "INT-14", "INT-55"),
    },
  ),
  "AUTH-02": token("The token call works without a body and without a Content-Type."),
  "AUTH-03": token(
    "The token call works with Content-Type: application/json and no body.",
    example,
    {
      source: "Authentication",
    },
  ),
  "AUTH-04": token("A token that was just issued is accepted by the other endpoints.", {
    source: "Authentication",
    ...read("INT-14", "INT-16"),
    operations: [
      "createCounterparty",
      "createOperation",
      "addAcamItem",
      "createBatch",
      "listBatches",
    ],
    shows: "every exchange",
    repeatable: false,
  }),
  "AUTH-05": key("The token endpoint refuses a request without an API key."),
  "AUTH-06": key("The token endpoint refuses an empty API key.", inferred),
  "AUTH-07": key("The token endpoint refuses a truncated API key.", inferred, near),
  "AUTH-08": key("The token endpoint refuses a made-up API key.", inferred),
  "AUTH-09": key(
    "The token endpoint refuses an API key with one character changed.",
    inferred,
    near,
  ),
  "AUTH-10": key("The token endpoint refuses an API key with characters appended.", inferred),
  "AUTH-11": key("The token endpoint treats API keys as case-sensitive.", should, near),
  "AUTH-12": error("An error of the token endpoint is an object with a string message."),

  ...ofTokens,
  "AUTH-40": good("Tokens are case-sensitive.", should, near, read("INT-16", "INT-17")),
  "AUTH-41": good(
    "A good token is refused with another scheme than Bearer.",
    should,
    read("INT-46"),
  ),
  // Not in a smoke run: logs keep the query of a request, and so they would keep the token in it.
  "AUTH-42": {
    ...good("A good token that stands in the query alone is refused.", should, read("INT-46")),
    onlyFull: true,
  },
} as const satisfies Record<string, Requirement>;
