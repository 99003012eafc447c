import { invalid, unusual, type Fields, type RequestSpec, isSuccess, valid } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { inputKinds, tokenRefusals, type TokenRefusals } from "../../spec/refusals.ts";
import { together, orNothing } from "../kit/concurrency.ts";
import type { Context } from "../kit/context.ts";
import { inOtherCase, oddSecrets, ofTheSameShape, truncated, unsigned } from "../kit/credentials/secrets.ts";
import { withOneCharacterReplaced, withTail } from "../kit/credentials/secrets.ts";
import { observing } from "../kit/observing.ts";
import { listRequest, counterpartyRequest, itemRequest, validOperation } from "../kit/requests.ts";
import { draw } from "../kit/sampling.ts";
import { scenario } from "../kit/scenario.ts";
import { Inconclusive } from "../../harness/errors.ts";
import { defined } from "../../model/defined.ts";
import { amountSupply, firstPair } from "../kit/amounts.ts";
import { validBatch } from "../kit/flows/batches.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { itemBody, createOperation } from "../kit/flows/operations.ts";

/** `accepted` is false: the server refuses it with a good token too, and only 401 is about the token. */
type Guarded = RequestSpec & { readonly accepted?: boolean };

interface BadToken {
  readonly requirement: RequirementId;
  readonly what: string;
  readonly exactly?: 401 | undefined;
}

interface Altered extends BadToken {
  readonly alter: (token: string) => string;
  /** @defaultValue Bearer */
  readonly scheme?: string;
}

const liveToken = async (context: Context): Promise<string> => {
  await context.succeed(listRequest);
  return context.run.sender.session.token();
};

/** The request with a bad token. With the good one it is the control: a server may check a limit before the token. */
const withBadToken = (
  { accepted, ...spec }: Guarded,
  { requirement, what, exactly }: BadToken,
  authorization: string | null,
  derivedFrom?: string,
): RequestSpec => {
  const control = (): RequestSpec => ({ ...spec, intent: valid });
  const refusal = { requirement, control, isControlRefused: accepted === false };
  return {
    ...observing(spec, "OPEN-23", `${operationTitle(spec.operation)} ${what}`, "status"),
    intent: invalid(what, inputKinds.credentials),
    authorization,
    refusal: { ...refusal, ...defined({ status: exactly, derivedFrom }) },
  };
};

/** Presents altered tokens while the good one is accepted; if it is refused afterwards, each with a new token. */
const presentAltered = async (context: Context, guarded: Guarded, rows: readonly Altered[]): Promise<void> => {
  const { badCredentials } = context.run;
  if (rows.length === 0) return;
  const isAlive = await badCredentials.section(async () => {
    const token = await sendAltered(context, guarded, rows, true);
    return isSuccess(await context.send({ ...listRequest, authorization: `Bearer ${token}` }));
  });
  if (isAlive) return;
  badCredentials.changed();
  for (const row of rows) await badCredentials.section(() => sendAltered(context, guarded, [row], false));
};

/** Returns the token that they were made from. */
const sendAltered = async (context: Context, guarded: Guarded, rows: readonly Altered[], needsProof: boolean) => {
  const token = await liveToken(context);
  const requests = rows.flatMap((row) => {
    const altered = row.alter(token);
    if (row.scheme === undefined && (altered === token || altered.length < 4)) {
      context.inconclusive(row.requirement, `no request ${row.what} can be made of a token of this kind`);
      return [];
    }
    context.run.redaction.add(altered, `token: ${row.what}`);
    return [withBadToken(guarded, row, `${row.scheme ?? "Bearer"} ${altered}`, needsProof ? token : undefined)];
  });
  await context.run.badCredentials.each(requests, context.send);
  return token;
};

type GuardedOperation = keyof typeof tokenRefusals;
type Endpoint = TokenRefusals & { readonly operation: GuardedOperation };

/** For the five endpoints that take a token, a request that is valid but for its header: they may look at the rest first. */
const prepared: Readonly<Record<GuardedOperation, (context: Context) => Promise<Guarded>>> = {
  listBatches: async () => listRequest,
  createOperation: async (context) => {
    const { id: counterparty } = await registerCounterparty(context);
    const amount = amountSupply(context, 2);
    // Servers limit the operations a day. A request that is refused for this reason can still carry bad tokens.
    const control = await orNothing(createOperation(context, { counterparty, amount: amount() }));
    return { ...validOperation(context, { counterparty, amount: amount() }), accepted: control !== undefined };
  },
  createCounterparty: async (context) => counterpartyRequest(context, (await registerCounterparty(context)).body),
  addAcamItem: async (context) => {
    const { id: counterparty } = await registerCounterparty(context);
    const amount = amountSupply(context, 1)();
    const made = await orNothing(createOperation(context, { counterparty, amount }));
    await context.untilKnown();
    // If no more operations are accepted, use an earlier one, which need not accept another item.
    const id = made?.id ?? context.knowledge.lastOperation;
    if (id === undefined) throw new Inconclusive("no operation could be created, so there is none to add an item to");
    return { ...itemRequest(id, itemBody(context, amount)), accepted: made !== undefined };
  },
  createBatch: async (context) => {
    const control = await context.send(await validBatch(context, firstPair(context)));
    // A second batch for a pair may be refused with any token (INT-27).
    return { ...(await validBatch(context, firstPair(context))), accepted: isSuccess(control) };
  },
};

/** Specification, Endpoints; INT-17. */
const endpoints = (Object.keys(prepared) as GuardedOperation[]).map((operation): Endpoint => ({
  operation,
  ...tokenRefusals[operation],
}));

/** The endpoint that needs no preparation: some bad tokens are presented there alone, since they can lock out. */
const isList = ({ operation }: Endpoint): boolean => operation === "listBatches";

/** The requirement on the shape of the errors of the list: only these refusals show it. */
const shapeOfListErrors: RequirementId = "BATCH-28";

/** Bad tokens: a few, after everything else (specification, Authentication; INT-16 and INT-17). */
export const bearer = [
  ...endpoints.map((row) =>
    scenario(
      `auth/bearer/${row.operation}`,
      `${operationTitle(row.operation)} refuses bad tokens`,
      {
        requirements: [
          ...[row.missing, row.madeUp, row.tampered, row.malformed],
          ...(isList(row) ? [shapeOfListErrors] : []),
        ],
        operations: [row.operation],
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

const refusesBadTokens = async (context: Context, row: Endpoint): Promise<void> => {
  const isWanted = ({ requirement }: { readonly requirement: RequirementId }): boolean =>
    context.wants(requirement) || (requirement === row.missing && isList(row) && context.wants(shapeOfListErrors));
  const guarded = await prepared[row.operation](context);
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
const presenting = (bad: BadToken, header: string | null, headers: Fields = []) => ({ ...bad, header, headers });

/** Bad headers that need no good token. No status is stated for those that are not `Bearer` and a token. */
const madeUp = (row: Endpoint, shape: string) => {
  const { missing, madeUp: requirement, malformed, exactly } = row;
  const token = (what: string, text: string) => presenting({ requirement, what, exactly }, `Bearer ${text}`);
  const other = (what: string, header: string) => presenting({ requirement: malformed, what }, header);
  return [
    presenting({ requirement: missing, what: "without an Authorization header", exactly }, null),
    // A property that every object of some languages has: code that looks tokens up as properties finds it.
    token("with the word constructor for a token", "constructor"),
    token("with a made-up token of the right shape", shape),
    exactly === undefined
      ? token("with the word null for a token", "null")
      : token(`with ${unsigned.id} for a token`, unsigned.text),
    other("with the scheme Bearer and no token", "Bearer"),
    other("with a user and a password", `Basic ${btoa("fxconform:fxconform")}`),
    other("with a made-up token and the scheme Token", `Token ${shape}`),
    ...(isList(row) ? [other("with an empty Authorization header", "")] : []),
  ];
};

/** The API key in place of a token (INT-16), only where the status is stated: bad tokens can lock clients out. */
const keysInstead = ({ missing, madeUp: requirement, exactly }: Endpoint, key: string, token: string) => {
  if (exactly === undefined) return [];
  const what = "with the API key in x-api-key and no Authorization header";
  const asHeader = presenting({ requirement: missing, what, exactly }, null, [["x-api-key", key]]);
  const asToken = presenting({ requirement, what: "with the API key for a token", exactly }, `Bearer ${key}`);
  return token === key ? [asHeader] : [asHeader, asToken];
};

const altered = ({ tampered, madeUp: cut, exactly }: Endpoint): readonly Altered[] => {
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
