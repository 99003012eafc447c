import { inOtherCase, ofTheSameShape, scenario } from "../kit/index.ts";
import type { BadCredential } from "../kit/index.ts";

/**
 * Sends tokens in unusual ways. A good token with another scheme is neither missing nor invalid, so
 * a server that accepts it breaks no MUST (INT-46).
 */
export const spelledTokens = scenario({
  id: "auth/bearer/spellings",
  title: "tokens in the other letter case, with another scheme and without one",
  checks: ["AUTH-40", "AUTH-41"],
  phase: "last",
  profiles: ["smoke", "full"],
  run: async ({ listRequest, observed, presentBad, succeed, together, token: good }) => {
    const inSmallLetters = async () => {
      await succeed(listRequest);
      const token = await good();
      await observed(
        listRequest,
        withSmallScheme(token),
        "OPEN-24",
        "GET /batches with the scheme bearer",
      );
    };
    await together([presentBad(listRequest, spelled), inSmallLetters()]);
  },
});

function withSmallScheme(token: string) {
  return {
    what: "with the scheme bearer in small letters",
    authorization: `bearer ${token}`,
    breaksNoRule: true as const,
    connection: "fresh" as const,
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
    requirement: "AUTH-41",
    what: "with a good token and the scheme Token",
    token: "good",
    scheme: "Token",
  },
  {
    requirement: "AUTH-41",
    what: "with a good token and the scheme Basic",
    token: "good",
    scheme: "Basic",
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
