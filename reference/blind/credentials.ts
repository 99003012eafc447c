import { randomBytes } from "node:crypto";
import type { OperationName } from "../../spec/operations.ts";
import { answers, refusalOf, remembering, set } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { anywhere, at, crash, legal, type BlindClass } from "./blind.ts";

type Accepts = (token: string, call: Call) => boolean;

/** Also accepts some tokens that were not issued. Without `operation`, at every endpoint. */
function alsoToken(accepts: Accepts, operation?: OperationName): Change {
  return (base) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) ||
      ((operation === undefined || call.operation === operation) && accepts(token, call)),
  });
}

/**
 * At one endpoint, accepts requests without a token if `isSuch` selects their Authorization header.
 */
function guest(operation: OperationName, isSuch: (header: string | undefined) => boolean): Change {
  return (base) => ({
    tokenIn: (header, call) =>
      call.operation === operation && isSuch(header) ? "guest" : base.tokenIn(header, call),
    admitsToken: (token, call) =>
      (call.operation === operation && token === "guest") || base.admitsToken(token, call),
  });
}

/** Also accepts some keys other than the right one. */
function alsoKey(accepts: (key: string, right: string) => boolean): Change {
  return (base) => ({
    admitsKey: (key, call) =>
      base.admitsKey(key, call) || (key !== undefined && accepts(key, call.apiKey)),
  });
}

function issued({ store }: Call): readonly string[] {
  return [...store.tokens.keys()];
}

const hasRightThird: Accepts = (token, call) =>
  issued(call).some((it) => {
    const third = Math.floor(it.length / 3);
    return it.length === token.length && it.slice(0, third) === token.slice(0, third);
  });

const hasTail: Accepts = (token, call) => issued(call).some((it) => token.startsWith(it));

/**
 * Once a good token was sent to an endpoint, accepts every token there that begins with the same
 * sixteen characters.
 */
const shortCache: Change = remembering(() => {
  const seen = new Set<string>();
  return (base) => ({
    admitsToken: (token, call) => {
      const key = `${call.operation} ${token.slice(0, 16)}`;
      if (base.admitsToken(token, call)) seen.add(key);
      return seen.has(key);
    },
  });
});

function headerOf({ headers }: Call): string {
  return headers.authorization ?? "";
}

/**
 * Whether a request has a bearer token whose first eight characters differ from those of every
 * issued token.
 */
function unlikeAny(call: Call): boolean {
  const token = /^bearer +(\S+)$/i.exec(headerOf(call))?.[1];
  return token !== undefined && !issued(call).some((it) => it.startsWith(token.slice(0, 8)));
}

const secondTokenEmpty: Change = remembering(() => {
  let last = 0;
  return at.token.shows((body) => {
    const isSoon = Date.now() - last < 1_000;
    last = Date.now();
    return isSoon ? { ...body, token: "" } : body;
  });
});

const unauthorized = set({ headers: { "content-type": "text/plain" }, text: "Unauthorized" });

function keyStatus(answer: Answer, { headers }: Call): Answer {
  return { ...answer, status: headers["x-api-key"] === undefined ? 400 : 403 };
}

/**
 * Issues tokens of three parts, as JWTs have, and accepts an issued token with any other last
 * character. Decoders that ignore the unused bits of that character accept some of these.
 */
const webTokens: Change = (base) => ({
  newToken: () => [12, 48, 32].map((size) => randomBytes(size).toString("base64url")).join("."),
  admitsToken: (token, call) =>
    base.admitsToken(token, call) ||
    issued(call).some((it) => it.length === token.length && it.slice(0, -1) === token.slice(0, -1)),
});

function alive(isAlive: (token: string, call: Call) => boolean): Change {
  return (base) => ({
    admitsToken: (token, call) => base.admitsToken(token, call) && isAlive(token, call),
  });
}

export const credentials: BlindClass = {
  faults: [
    at.token.fault(
      "key-prefix-accepted",
      "AUTH-07",
      "A truncated key is accepted.",
      alsoKey((key, right) => key !== "" && right.startsWith(key)),
    ),
    at.token.fault(
      "empty-key-accepted",
      "AUTH-06",
      "An empty key is accepted.",
      alsoKey((key) => key === ""),
    ),
    at.token.fault(
      "hash-not-awaited",
      ["AUTH-09", "AUTH-10", "AUTH-07", "AUTH-11"],
      "A key is found by eight characters, and its hash is not waited for.",
      alsoKey((key, right) => key.slice(0, 8) === right.slice(0, 8)),
    ),
    at.acam.fault(
      "middle-unchecked-on-acam",
      "AUTH-30",
      "The first third of a token is compared.",
      alsoToken(hasRightThird, "addAcamItem"),
    ),
    at.list.fault(
      "tail-accepted-on-list",
      "AUTH-38",
      "A token with a tail is accepted.",
      alsoToken(hasTail, "listBatches"),
    ),
    anywhere.fault(
      "cache-by-first-sixteen",
      ["AUTH-22", "AUTH-26", "AUTH-30", "AUTH-34", "AUTH-38"],
      "After a good request, sixteen characters of a token are compared.",
      shortCache,
    ),
    at.batch.fault(
      "any-token-on-batches",
      ["AUTH-33", "AUTH-34"],
      "Any token is accepted.",
      alsoToken(() => true, "createBatch"),
    ),
    at.counterparty.fault(
      "anonymous-counterparty",
      "AUTH-24",
      "A request without Authorization comes from a guest.",
      guest("createCounterparty", (header) => header === undefined),
    ),
    at.operation.fault(
      "forbidden-for-made-up",
      ["AUTH-21", "AUTH-22"],
      "A token that is not known gets a 403.",
      at.operation.refuses("token", (answer, call) =>
        /^bearer +\S+$/i.test(headerOf(call)) ? { ...answer, status: 403 } : answer,
      ),
    ),
    at.operation.fault(
      "missing-header-400",
      "AUTH-20",
      "A request without Authorization gets a 400.",
      at.operation.refuses("token", (answer, call) =>
        headerOf(call) === "" ? { ...answer, status: 400 } : answer,
      ),
    ),
    at.counterparty.fault(
      "text-401-on-counterparty",
      ["HTTP-01", "HTTP-02", "CPTY-12", "AUTH-24", "AUTH-25", "AUTH-26", "AUTH-27"],
      "The refusal of a token is a plain text.",
      at.counterparty.refuses("token", unauthorized),
    ),
    at.list.fault(
      "empty-401-on-list",
      ["BATCH-28", "AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39"],
      "The refusal of a token has no body.",
      at.list.refuses("token", ({ status, headers }) => ({ status, headers })),
    ),
    at.batch.fault(
      "other-scheme-accepted",
      "AUTH-35",
      "A header of another scheme is not looked at.",
      guest("createBatch", (header) => header !== undefined && !/^bearer\b/i.test(header)),
    ),
    at.acam.fault(
      "undecodable-token-500",
      ["HTTP-04", "AUTH-29"],
      "A token that cannot be decoded gets a 500.",
      at.acam.refuses("token", (answer, call) => (unlikeAny(call) ? crash : answer)),
    ),
    at.list.fault(
      "bare-bearer-500",
      ["HTTP-04", "AUTH-39"],
      "A header that is Bearer alone gets a 500.",
      at.list.refuses("token", (answer, call) =>
        /^bearer\s*$/i.test(headerOf(call)) ? crash : answer,
      ),
    ),
    at.token.fault(
      "second-token-empty",
      "AUTH-01",
      "A second token within a second is empty.",
      secondTokenEmpty,
    ),
  ],
  variants: [
    legal(
      "one-token-alive",
      "A new token revokes the older ones.",
      alive((token, call) => issued(call).at(-1) === token),
    ),
    legal(
      "six-second-tokens",
      "A token is good for six seconds.",
      alive((token, { store }) => Date.now() - (store.tokens.get(token) ?? 0) < 6_000),
    ),
    legal(
      "jwt-lenient-end",
      "A token has three parts, and its last character counts in part.",
      webTokens,
    ),
    legal(
      "forbidden-elsewhere",
      "A bad token gets a 403, and 401 for operations.",
      answers(
        ({ refusal }, { operation }) => refusal === "token" && operation !== "createOperation",
        set({ status: 403 }),
      ),
    ),
    legal(
      "key-400-403",
      "No key gets a 400, a wrong one a 403.",
      answers(refusalOf("createToken", "key"), keyStatus),
    ),
  ],
};
