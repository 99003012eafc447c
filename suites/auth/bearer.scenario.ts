import { invalid, unusual, type Fields, type RequestSpec } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { inputKinds } from "../../spec/refusals.ts";
import { together } from "../kit/concurrency.ts";
import type { Context } from "../kit/context.ts";
import {
  inOtherCase,
  oddSecrets,
  ofTheSameShape,
  truncated,
  withOneCharacterReplaced,
  withTail,
} from "../kit/credentials/secrets.ts";
import {
  guardedOperations,
  liveToken,
  presentAltered,
  withBadToken,
  type Altered,
  type BadToken,
  type GuardedOperation,
} from "../kit/credentials/tokens.ts";
import { observing } from "../kit/observing.ts";
import { listRequest } from "../kit/requests.ts";
import { draw } from "../kit/sampling.ts";
import { scenario } from "../kit/scenario.ts";

/** The endpoint that needs no preparation: some bad tokens are presented there alone, since they can lock out. */
const isList = ({ operation }: GuardedOperation): boolean => operation === "listBatches";

/** The requirement on the shape of the errors of the list: only these refusals show it. */
const shapeOfListErrors: RequirementId = "BATCH-28";

/** Bad tokens: a few, after everything else (specification, Authentication; INT-16 and INT-17). */
export const bearer = [
  ...guardedOperations.map((row) =>
    scenario(
      `auth/bearer/${row.operation}`,
      `${operationTitle(row.operation)} refuses bad tokens`,
      {
        requirements: [
          ...[row.missing, row.madeUp, row.tampered, row.malformed],
          ...(isList(row) ? [shapeOfListErrors] : []),
        ],
        operations: row.needs,
        chain: isList(row) ? 9 : 6,
        phase: "last",
        profiles: isList(row) ? ["smoke", "full"] : ["full"],
      },
      (context) => refusesBadTokens(context, row),
    ),
  ),
  scenario(
    "auth/bearer/spellings",
    "tokens in the other letter case, with another scheme and without one",
    { requirements: ["AUTH-40", "AUTH-41"], operations: ["listBatches"], phase: "last", profiles: ["smoke", "full"] },
    async (context) => {
      const withoutScheme = async (): Promise<void> => {
        const authorization = await liveToken(context);
        const intent = invalid("with a token without a scheme", inputKinds.credentials);
        const spec = observing({ ...listRequest, intent, authorization }, "OPEN-24", "GET /batches");
        await context.run.badCredentials.each([spec], context.send);
      };
      const inSmallLetters = async (): Promise<void> => {
        const intent = unusual("with the scheme bearer in small letters");
        const authorization = `bearer ${await liveToken(context)}`;
        const spec = { ...listRequest, intent, authorization };
        await context.send(observing(spec, "OPEN-24", "GET /batches with the scheme bearer"));
      };
      await together([
        presentAltered(
          context,
          listRequest,
          spellings.filter(({ requirement }) => context.wants(requirement)),
        ),
        context.run.badCredentials.section(withoutScheme),
        inSmallLetters(),
      ]);
    },
  ),
];

/** A good token is neither missing nor invalid, whatever the scheme (INT-46). */
const spellings: readonly Altered[] = [
  { requirement: "AUTH-40", what: "with the token in the other letter case", alter: inOtherCase },
  ...["Token", "Basic"].map((scheme) => ({
    requirement: "AUTH-41" as const,
    what: `with a good token and the scheme ${scheme}`,
    alter: (token: string) => token,
    scheme,
  })),
];

const refusesBadTokens = async (context: Context, row: GuardedOperation): Promise<void> => {
  const isWanted = ({ requirement }: { readonly requirement: RequirementId }): boolean =>
    context.wants(requirement) || (requirement === row.missing && isList(row) && context.wants(shapeOfListErrors));
  const guarded = await row.prepare(context);
  const { badCredentials, sender, redaction } = context.run;
  const token = await sender.session.token();
  const shape = ofTheSameShape(token);
  redaction.add(shape, "made-up token of the same shape");
  const presented = [...madeUp(row, shape), ...keysInstead(row, context.target.apiKey, token)].filter(isWanted);
  const oddOnes = isList(row) && isWanted({ requirement: row.madeUp }) ? draw(context, odd) : [];
  const present = (requests: readonly RequestSpec[]): Promise<unknown> =>
    badCredentials.section(() => badCredentials.each(requests, context.send));
  await together([
    present(presented.map(({ header, headers, ...bad }) => ({ ...withBadToken(guarded, bad, header), headers }))),
    presentAltered(context, guarded, altered(row).filter(isWanted)),
    present(
      oddOnes.map(({ item: { id, text } }) => {
        const bad = { requirement: row.madeUp, what: `with ${id} for a token` };
        return { ...withBadToken(guarded, bad, `Bearer ${text}`), exemptBy: "INT-38", observes: [] };
      }),
    ),
  ]);
};

const odd = oddSecrets("tokens");

/** An Authorization header, null for none, and further headers. */
const presenting = (bad: BadToken, header: string | null, headers: Fields = []) => ({ ...bad, header, headers });

/** Bad headers that need no good token. No status is stated for those that are not `Bearer` and a token. */
const madeUp = (row: GuardedOperation, shape: string) => {
  const { missing, madeUp: requirement, malformed, exactly } = row;
  const token = (what: string, text: string) => presenting({ requirement, what, exactly }, `Bearer ${text}`);
  const other = (what: string, header: string) => presenting({ requirement: malformed, what }, header);
  return [
    presenting({ requirement: missing, what: "without an Authorization header", exactly }, null),
    // A property that every object of some languages has: code that looks tokens up as properties finds it.
    token("with the word constructor for a token", "constructor"),
    token("with a made-up token of the right shape", shape),
    token("with the word null for a token", "null"),
    other("with the scheme Bearer and no token", "Bearer"),
    other("with a user and a password", `Basic ${btoa("fxconform:fxconform")}`),
    other("with a made-up token and the scheme Token", `Token ${shape}`),
    ...(isList(row) ? [other("with an empty Authorization header", "")] : []),
  ];
};

/**
 * The API key in the place of a token: it is not a token, unless the server issues it as one (INT-16). Sent only to the
 * endpoint whose status is stated, because bad tokens can lock the client out.
 */
const keysInstead = ({ missing, madeUp: requirement, exactly }: GuardedOperation, key: string, token: string) => {
  if (exactly === undefined) return [];
  const what = "with the API key in x-api-key and no Authorization header";
  const asHeader = presenting({ requirement: missing, what, exactly }, null, [["x-api-key", key]]);
  const asToken = presenting({ requirement, what: "with the API key for a token", exactly }, `Bearer ${key}`);
  return token === key ? [asHeader] : [asHeader, asToken];
};

/** Bad headers that are derived from a good token. */
const altered = ({ tampered, madeUp: cut, exactly }: GuardedOperation): readonly Altered[] => {
  const bad = (what: string, alter: Altered["alter"]): Altered => ({ requirement: tampered, what, alter, exactly });
  // Signatures are near the end. Sent only where the status is stated, because bad tokens can lock the client out.
  const atTheEnd = bad("with a token in which one character near its end is replaced", (token) =>
    withOneCharacterReplaced(token, 0.85),
  );
  return [
    bad("with a token in which one character is replaced", (token) => withOneCharacterReplaced(token)),
    ...(exactly === undefined ? [] : [atTheEnd]),
    bad("with a token with characters appended", withTail),
    { ...bad("with a truncated token", truncated), requirement: cut },
  ];
};
