import { tokenRefusals, type TokenRefusals } from "../../spec/refusals.ts";
import {
  type Context,
  type Guarded,
  ofTheSameShape,
  scenario,
  truncated,
  withOneCharacterReplaced,
  withTail,
  type BadCredential,
  inOtherCase,
  withEndReplaced,
} from "../kit/index.ts";
import { operationTitle } from "../../spec/operations.ts";
import { tokenRequests } from "../../harness/sending/credentials.ts";

/** An endpoint that takes a token. */
export type Endpoint = keyof typeof tokenRefusals;

/**
 * For each endpoint that takes a token, makes a valid request, to which scenarios add bad headers.
 * The rest of the request stays valid, because an endpoint may check it before the header.
 */
export const guarded: Readonly<Record<Endpoint, (context: Context) => Promise<Guarded>>> = {
  listBatches: async ({ listRequest }) => listRequest,
  createOperation: async ({ attempt, create, operationFor, registered }) => {
    const counterparty = await registered();
    // A server may limit the operations in a day. A request that is refused because of the limit
    // can still carry bad tokens.
    const control = await attempt(create({ counterparty }));
    const again = () => operationFor({ counterparty });
    return { ...again(), again, isAccepted: control !== undefined };
  },
  createCounterparty: async ({ attempt, counterpartyLike, registered, succeed }) => {
    const first = await registered();
    // By now, the server may take no more counterparties.
    const control = await attempt(succeed(counterpartyLike(first)));
    const again = () => counterpartyLike(first);
    return { ...again(), again, isAccepted: control !== undefined };
  },
  addAcamItem: async ({ attempt, create, earlierOperation, itemFor, registered }) => {
    const creation = create({ counterparty: await registered() });
    const created = await attempt(creation);
    // If the server accepts no more operations, an earlier one is used, although it may accept no
    // further item. Without an earlier one, the server's refusal is the reason for no verdict.
    const operation = created ?? earlierOperation() ?? (await creation);
    return { ...itemFor(operation), isAccepted: created !== undefined };
  },
  createBatch: async ({ attempt, batchFor, earlierBatch, makeBatch }) => {
    const control = await makeBatch();
    const making = batchFor();
    // If the server accepts no more operations for a batch, an earlier body is sent again. A server
    // may refuse a second batch for a pair with a good token, too (INT-27).
    const request = (await attempt(making)) ?? earlierBatch() ?? (await making);
    return { ...request, isAccepted: control !== undefined };
  },
};

/**
 * A bad Authorization header, and which requirement of an endpoint says that the header must be
 * refused (specification, Authentication; INT-16 and INT-17).
 */
interface BearerRow extends BadCredential {
  readonly breaks: Exclude<keyof TokenRefusals, "exactly">;
  /**
   * Selects the endpoints at which the header is presented. Bad tokens can lock clients out, so
   * some headers are presented only at some endpoints. @defaultValue all
   */
  readonly at?: (endpoint: Endpoint) => boolean;
}

/** Whether this is the only endpoint for which the status of a refused token is stated. */
const creation = (endpoint: Endpoint): boolean => endpoint === "createOperation";
const allButCreation = (endpoint: Endpoint): boolean => !creation(endpoint);
/** Whether this is the endpoint to which a request can be sent before anything is created. */
const list = (endpoint: Endpoint): boolean => endpoint === "listBatches";
/** An endpoint that a smoke run leaves out, for what careless code alone accepts. */
const batch = (endpoint: Endpoint): boolean => endpoint === "createBatch";

/** A JSON Web Token that names no algorithm. */
const unsigned = {
  id: "three parts without a signature",
  text: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJmeGNvbmZvcm0ifQ.",
};

/**
 * Keys and tokens that were never issued, and that careless code accepts or crashes on. HTTP servers
 * refuse some of them by themselves, in any form: only a crash or a success is judged (INT-38).
 */
const oddSecrets = [
  { id: "a quote as in SQL", text: "x'OR'1'='1" },
  { id: "characters beyond ASCII", text: "k\u00e9y-fxconform" },
  { id: "7000 characters", text: "fxconform".repeat(778).slice(0, 7000) },
];

/**
 * The bad headers. `authorization` is the whole value of the header. `token` makes a bad token from
 * a good one, which is accepted afterwards.
 */
const rows: readonly BearerRow[] = [
  {
    breaks: "missing",
    what: "without an Authorization header",
    authorization: null,
    isSoonAfterGood: true,
  },
  // This row stands before the other made-up tokens, because it looks like a good token: if limits
  // leave time for only one of them, this one is sent.
  {
    breaks: "madeUp",
    what: "with a made-up token of the right shape",
    madeUp: ofTheSameShape,
  },
  // A name that every object has as a property in some languages. Code that looks up tokens as
  // properties finds it.
  {
    breaks: "madeUp",
    what: "with the word constructor for a token",
    authorization: "Bearer constructor",
  },
  {
    breaks: "madeUp",
    what: "with the word null for a token",
    authorization: "Bearer null",
    at: allButCreation,
  },
  {
    breaks: "madeUp",
    what: `with ${unsigned.id} for a token`,
    authorization: `Bearer ${unsigned.text}`,
    at: creation,
  },
  { breaks: "malformed", what: "with the scheme Bearer and no token", authorization: "Bearer" },
  {
    breaks: "malformed",
    what: "with a user and a password",
    authorization: `Basic ${btoa("fxconform:fxconform")}`,
  },
  {
    // A server may remember a token that it has refused, and then accept it as a known one.
    breaks: "madeUp",
    what: "with a made-up token of the right shape once more",
    madeUp: ofTheSameShape,
  },
  {
    breaks: "malformed",
    what: "with a made-up token and the scheme Token",
    madeUp: ofTheSameShape,
    scheme: "Token",
  },
  { breaks: "malformed", what: "with an empty Authorization header", authorization: "", at: list },
  {
    breaks: "tampered",
    what: "with a token in which one character in its middle is replaced",
    token: (good) => withOneCharacterReplaced(good),
  },
  {
    // The change is near the end, where signatures are.
    breaks: "tampered",
    what: "with a token in which one character near its end is replaced",
    token: (good) => withOneCharacterReplaced(good, 0.85),
  },
  {
    breaks: "tampered",
    what: "with a token with characters appended",
    token: withTail,
    form: "appended",
  },
  {
    // Codings such as base64 have no dot, and lenient code leaves it out.
    breaks: "tampered",
    what: "with a token and a dot behind it",
    token: (good) => `${good}.`,
    form: "appended",
    at: batch,
  },
  {
    breaks: "madeUp",
    what: "with a made-up token and the scheme bearer in small letters",
    madeUp: ofTheSameShape,
    scheme: "bearer",
    at: batch,
  },
  { breaks: "madeUp", what: "with a truncated token", token: truncated },
];

/** The API key is no token, unless the server issues it as one. */
function withKey(key: string, token: string): readonly BearerRow[] {
  const inItsHeader: BearerRow = {
    breaks: "missing",
    what: "with the API key in x-api-key and no Authorization header",
    authorization: null,
    headers: [["x-api-key", key]],
    at: creation,
  };
  const asToken: BearerRow = {
    breaks: "madeUp",
    what: "with the API key for a token",
    authorization: `Bearer ${key}`,
  };
  return key === token ? [inItsHeader] : [inItsHeader, asToken];
}

/** Returns the bad headers for an endpoint, each with the requirement that it is refused there. */
function rowsAt(endpoint: Endpoint, ofKey: readonly BearerRow[]): readonly BadCredential[] {
  const { exactly: status, ...requirements }: TokenRefusals = tokenRefusals[endpoint];
  return [...rows, ...ofKey]
    .filter(({ at = () => true }) => at(endpoint))
    .map(({ breaks, ...row }) => ({
      ...row,
      requirement: requirements[breaks],
      // No status is stated for a header that is not "Bearer" with a token.
      status: breaks === "malformed" ? undefined : status,
      // At the list, the refusals without an Authorization header alone show the shape of errors.
      shows: list(endpoint) && breaks === "missing" ? "BATCH-28" : undefined,
    }));
}

/** The scheme with which each endpoint gets a good token. */
const schemes: Readonly<Record<Endpoint, string>> = {
  createCounterparty: "Basic",
  createOperation: "Token",
  addAcamItem: "Token",
  createBatch: "Basic",
  listBatches: "Token",
};

function refusesBadTokens(endpoint: Endpoint) {
  const { exactly: _, ...requirements }: TokenRefusals = tokenRefusals[endpoint];
  return scenario({
    id: `auth/bearer/${endpoint}`,
    title: `${operationTitle(endpoint)} refuses bad tokens`,
    checks: [
      ...Object.values(requirements),
      ...(list(endpoint) ? (["BATCH-28"] as const) : []),
      "AUTH-41",
    ],
    phase: "last",
    profiles: list(endpoint) ? ["smoke", "full"] : ["full"],
    run: async (context) => {
      const odd = list(endpoint) ? [unsigned, ...oddSecrets] : [];
      const request = await guarded[endpoint](context);
      const rows = [
        ...rowsAt(endpoint, withKey(context.target.apiKey, await context.token())),
        ...odd.map(({ id, text }) => ({
          what: `with ${id} for a token`,
          authorization: `Bearer ${text}`,
          requirement: requirements.madeUp,
          isOdd: true as const,
        })),
        otherScheme(schemes[endpoint]),
      ];
      await context.together([
        context.presentBad(request, rows),
        endpoint === "addAcamItem" && forFurtherItem(context),
      ]);
    },
  });
}

/**
 * Sends a second item without a token. A server that checks whether an operation has an item
 * already may do so before it checks the token.
 */
async function forFurtherItem({
  attempt,
  itemFor,
  payeeWithItem,
  presentBad,
  wants,
}: Context): Promise<void> {
  if (!wants(withoutTokenForFurtherItem.requirement)) return;
  const payee = await attempt(payeeWithItem());
  if (payee !== undefined) await presentBad(itemFor(payee.operation), [withoutTokenForFurtherItem]);
}

const withoutTokenForFurtherItem = {
  requirement: tokenRefusals.addAcamItem.missing,
  what: "without an Authorization header, for a further item",
  authorization: null,
} as const satisfies BadCredential;

/** The scenarios that send a few bad tokens to each endpoint, after everything else. */
export const bearer = (Object.keys(guarded) as Endpoint[]).map(refusesBadTokens);

/** Bad API keys: a few, after everything else (specification, Endpoints, 1; INT-15 and INT-17). */
export const keys = scenario({
  id: "auth/keys",
  title: "bad API keys are refused",
  checks: ["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10", "AUTH-11", "AUTH-12"],
  phase: "last",
  profiles: ["smoke", "full"],
  run: async ({ presentBad }) => {
    const regular = { id: "a regular expression", text: ".*" };
    const odd = [...oddSecrets, regular].map(({ id, text }): BadCredential => {
      return { requirement: "AUTH-08", what: `with ${id} for an API key`, key: text, isOdd: true };
    });
    await presentBad(tokenRequests[1], [...badKeys, ...odd]);
  },
});

/**
 * The bad keys. `key`: the key to send, null for none, or a function that makes it from the right
 * key.
 */
const badKeys: readonly BadCredential[] = [
  { requirement: "AUTH-05", what: "without an API key", key: null },
  { requirement: "AUTH-06", what: "with an empty API key", key: "" },
  { requirement: "AUTH-07", what: "with a truncated API key", key: truncated },
  {
    requirement: "AUTH-07",
    what: "with an API key without its last character",
    key: (key) => key.slice(0, -1),
  },
  // The first of the keys for AUTH-08, as it looks like a good one: if limits leave time for only
  // one of them, this one is sent.
  {
    requirement: "AUTH-08",
    shows: "AUTH-12",
    what: "with a made-up API key of the right shape",
    key: ofTheSameShape,
  },
  // A name that every object has as a property in some languages. Code that looks up keys as
  // properties finds it.
  {
    requirement: "AUTH-08",
    shows: "AUTH-12",
    what: "with the word constructor for an API key",
    key: "constructor",
  },
  {
    // A server may remember a key that it has refused, and then accept it as a known one.
    requirement: "AUTH-08",
    what: "with the word constructor for an API key once more",
    isSoonAfterGood: true,
    key: "constructor",
  },
  {
    requirement: "AUTH-09",
    what: "with an API key in which one character in its middle is replaced",
    key: (key) => withOneCharacterReplaced(key),
  },
  {
    requirement: "AUTH-09",
    what: "with an API key whose first character is replaced",
    key: (key) => withEndReplaced(key, "first"),
  },
  {
    requirement: "AUTH-09",
    what: "with an API key whose last character is replaced",
    key: (key) => withEndReplaced(key, "last"),
  },
  { requirement: "AUTH-10", what: "with an API key with characters appended", key: withTail },
  { requirement: "AUTH-11", what: "with the API key in the other letter case", key: inOtherCase },
];

/**
 * Sends tokens in unusual ways. A good token with another scheme is neither missing nor invalid, so
 * a server that accepts it breaks no MUST (INT-46).
 */
export const spelledTokens = scenario({
  id: "auth/bearer/spellings",
  title: "tokens in the other letter case and without a scheme",
  checks: ["AUTH-40"],
  phase: "last",
  profiles: ["smoke", "full"],
  run: async ({ listRequest, observed, presentBad, succeed, together, token: good }) => {
    const inSmallLetters = async () => {
      await succeed(listRequest);
      const token = await good();
      await observed(
        { ...listRequest, authorization: `bearer ${token}`, isOnFreshConnection: true },
        { what: "with the scheme bearer in small letters", breaksNoRule: true },
        "OPEN-24",
        "GET /batches with the scheme bearer",
      );
    };
    await together([presentBad(listRequest, spelled), inSmallLetters()]);
  },
});

/** A good token with another scheme than Bearer (INT-46). */
function otherScheme(scheme: string): BadCredential {
  return {
    requirement: "AUTH-41",
    what: `with a good token and the scheme ${scheme}`,
    token: "good",
    scheme,
  };
}

const otherCaseInShell = `$(printf %s "$TOKEN" | tr 'a-zA-Z' 'A-Za-z')`;

const spelled: readonly BadCredential[] = [
  {
    requirement: "AUTH-40",
    what: "with the token in the other letter case",
    token: inOtherCase,
    inShell: otherCaseInShell,
    connection: "fresh",
  },
  {
    // A server may keep the headers of a connection, and compare further ones without letter case.
    requirement: "AUTH-40",
    form: "used connection",
    what: "with the token in the other letter case, on a connection that carried the good one",
    token: inOtherCase,
    inShell: otherCaseInShell,
    connection: "used",
  },
  {
    question: "OPEN-24",
    what: "with a token without a scheme",
    token: "good",
    scheme: "",
    connection: "fresh",
  },
];

/**
 * Sends tokens in the query. Logs keep the query of a request, and so they would keep the token: a
 * smoke run, which may go against production, sends no token in the query.
 */
export const queriedToken = scenario({
  id: "auth/bearer/query",
  title: "a good token and a made-up one in the query alone",
  checks: ["AUTH-37", "AUTH-42"],
  phase: "last",
  profiles: ["full"],
  run: ({ listRequest, presentBad }) => presentBad(listRequest, inTheQuery),
});

/** RFC 6750, 2.3, describes a token in the query. */
const inTheQuery: readonly BadCredential[] = [
  {
    requirement: "AUTH-42",
    what: "with a good token in the query and no Authorization header",
    token: "good",
    query: queryOf,
  },
  {
    // A server that reads tokens from the query has to check them, too.
    requirement: "AUTH-37",
    what: "with a made-up token in the query and no Authorization header",
    madeUp: ofTheSameShape,
    query: queryOf,
  },
];

function queryOf(token: string): string {
  return `?access_token=${encodeURIComponent(token)}`;
}
