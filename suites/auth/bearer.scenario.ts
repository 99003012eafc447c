import { invalid, unusual, type Fields } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { inputKinds } from "../../spec/refusals.ts";
import type { Context } from "../kit/context.ts";
import {
  inOtherCase,
  ofTheSameShape,
  truncated,
  withOneCharacterReplaced,
  withTail,
} from "../kit/credentials/altered-secret.ts";
import { liveToken, presentAltered, withBadToken, type Altered, type BadToken } from "../kit/credentials/bad-token.ts";
import { oddSecrets } from "../kit/credentials/odd-secrets.ts";
import { guardedOperations, type GuardedOperation } from "../kit/credentials/guarded-operations.ts";
import { draw } from "../kit/draw.ts";
import { observing } from "../kit/observing.ts";
import { listRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { together } from "../kit/together.ts";

/** Bad tokens: a few, after everything else (specification, Authentication; INT-16 and INT-17). */
export const bearer = [
  ...guardedOperations.map((row) =>
    scenario(
      `auth/bearer/${row.operation}`,
      `${operationTitle(row.operation)} refuses bad tokens`,
      {
        requirements: [
          row.missing,
          row.madeUp,
          row.tampered,
          row.malformed,
          ...(row.errors === undefined ? [] : [row.errors]),
        ],
        questions: ["OPEN-23", "OPEN-25"],
        operations: row.needs,
        cost: row.cost,
        // The list needs no preparation, so it goes first.
        chain: row.operation === "listBatches" ? 9 : 6,
        phase: "last",
        profiles: row.operation === "listBatches" ? ["smoke", "full"] : ["full"],
      },
      (context) => refusesBadTokens(context, row),
    ),
  ),
  scenario(
    "auth/bearer/spellings",
    "tokens in the other letter case, with another scheme and without one",
    {
      requirements: ["AUTH-40", "AUTH-41"],
      questions: ["OPEN-24"],
      operations: ["listBatches"],
      cost: 9,
      phase: "last",
      profiles: ["smoke", "full"],
    },
    async (context) => {
      const { badCredentials } = context.run;
      const what = "with the token in the other letter case";
      const withoutScheme = badCredentials.section(async () => {
        const authorization = await liveToken(context);
        const intent = invalid("with a token without a scheme", inputKinds.credentials);
        const spec = observing({ ...listRequest, intent, authorization }, "OPEN-24", "GET /batches");
        await badCredentials.each([spec], context.send);
      });
      const inSmallLetters = async (): Promise<void> => {
        const intent = unusual("with the scheme bearer in small letters");
        const authorization = `bearer ${await liveToken(context)}`;
        const spec = { ...listRequest, intent, authorization };
        await context.send(observing(spec, "OPEN-24", "GET /batches with the scheme bearer"));
      };
      const wanted = [{ requirement: "AUTH-40", what, alter: inOtherCase }, ...withOtherSchemes] as const;
      await together([
        presentAltered(
          context,
          listRequest,
          wanted.filter(({ requirement }) => context.wants(requirement)),
        ),
        withoutScheme,
        inSmallLetters(),
      ]);
    },
  ),
];

const refusesBadTokens = async (context: Context, row: GuardedOperation): Promise<void> => {
  const isWanted = ({ requirement }: { readonly requirement: RequirementId }): boolean =>
    context.wants(requirement) ||
    (requirement === row.missing && row.errors !== undefined && context.wants(row.errors));
  const guarded = await row.prepare(context);
  const { badCredentials, sender, redaction } = context.run;
  const shape = ofTheSameShape(await sender.session.token());
  redaction.add(shape, "made-up token of the same shape");
  const presented = [...madeUp(row, shape), ...keysInstead(row, context.target.apiKey, await sender.session.token())];
  const refusesMadeUp = badCredentials.section(() =>
    badCredentials.each(presented.filter(isWanted), ({ authorization, headers = [], ...bad }) =>
      context.send({ ...withBadToken(guarded, bad, authorization), headers }),
    ),
  );
  const isOddWanted = row.presentsOdd === true && isWanted({ requirement: row.madeUp });
  const refusesOddOnes = badCredentials.section(() =>
    badCredentials.each(isOddWanted ? draw(context, odd) : [], ({ item: { id, text } }) => {
      const bad = { requirement: row.madeUp, what: `with ${id} for a token` };
      return context.send({ ...withBadToken(guarded, bad, `Bearer ${text}`), exemptBy: "INT-38", observes: [] });
    }),
  );
  await together([refusesMadeUp, presentAltered(context, guarded, altered(row).filter(isWanted)), refusesOddOnes]);
};

const odd = oddSecrets("tokens");

/** A request with its own Authorization header, or none, and further headers. */
interface Presented extends BadToken {
  readonly authorization: string | null;
  readonly headers?: Fields;
}

/**
 * The API key in the place of a token: it is not a token, unless the server issues it as one (INT-16). Sent only to the
 * endpoint whose status is stated, because bad tokens can lock the client out.
 */
const keysInstead = ({ missing, madeUp: requirement, exactly }: GuardedOperation, key: string, token: string) => {
  const asHeader: Presented = {
    requirement: missing,
    what: "with the API key in x-api-key and no Authorization header",
    authorization: null,
    headers: [["x-api-key", key]],
    exactly,
  };
  const asToken: Presented = {
    requirement,
    what: "with the API key for a token",
    authorization: `Bearer ${key}`,
    exactly,
  };
  return exactly === undefined ? [] : token === key ? [asHeader] : [asHeader, asToken];
};

/** Bad headers that need no good token. */
const madeUp = (
  { missing, madeUp: requirement, malformed, exactly, presentsOdd }: GuardedOperation,
  shape: string,
): readonly Presented[] => [
  { requirement: missing, what: "without an Authorization header", authorization: null, exactly },
  // A property that every object of some languages has: code that looks tokens up as properties finds it.
  { requirement, what: "with the word constructor for a token", authorization: "Bearer constructor", exactly },
  { requirement, what: "with a made-up token of the right shape", authorization: `Bearer ${shape}`, exactly },
  { requirement, what: "with the word null for a token", authorization: "Bearer null", exactly },
  { requirement: malformed, what: "with the scheme Bearer and no token", authorization: "Bearer" },
  { requirement: malformed, what: "with a user and a password", authorization: `Basic ${btoa("fxconform:fxconform")}` },
  { requirement: malformed, what: "with a made-up token and the scheme Token", authorization: `Token ${shape}` },
  ...(presentsOdd === true
    ? [{ requirement: malformed, what: "with an empty Authorization header", authorization: "" }]
    : []),
];

/** Bad headers that are derived from a good token. */
const altered = ({ tampered, madeUp: cut, exactly }: GuardedOperation): readonly Altered[] => [
  {
    requirement: tampered,
    what: "with a token in which one character is replaced",
    alter: (token) => withOneCharacterReplaced(token),
    exactly,
  },
  // Signatures are near the end. Sent only where the status is stated, because bad tokens can lock the client out.
  ...(exactly === undefined
    ? []
    : [
        {
          requirement: tampered,
          what: "with a token in which one character near its end is replaced",
          alter: (token: string) => withOneCharacterReplaced(token, nearTheEnd),
          exactly,
        },
      ]),
  { requirement: tampered, what: "with a token with characters appended", alter: withTail, exactly },
  { requirement: cut, what: "with a truncated token", alter: truncated, exactly },
];

/** A good token is neither missing nor invalid, whatever the scheme (INT-46). */
const withOtherSchemes = ["Token", "Basic"].map((scheme) => ({
  requirement: "AUTH-41" as const,
  what: `with a good token and the scheme ${scheme}`,
  alter: (token: string) => token,
  scheme,
}));

/** As a share of the token's length. */
const nearTheEnd = 0.85;
