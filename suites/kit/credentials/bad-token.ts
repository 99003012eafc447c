import { defined } from "../../../model/defined.ts";
import { invalid, isRefusal, isSuccess, valid, type Exchange, type RequestSpec } from "../../../model/exchange.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { inputKinds } from "../../../spec/refusals.ts";
import type { Context } from "../context.ts";
import { listRequest } from "../requests.ts";

/** A request with a good token, and whether the server accepts it. */
export type Guarded = RequestSpec & { readonly accepted?: boolean };

/** What a request presents instead of a good token, and how that must be refused. */
export interface BadToken {
  readonly requirement: RequirementId;
  readonly what: string;
  readonly exactly?: 401 | undefined;
}

/** A token made from a live one. */
export interface Altered extends BadToken {
  readonly alter: (token: string) => string;
  /** @defaultValue Bearer */
  readonly scheme?: string;
}

/** A token that was accepted a moment ago. */
export const liveToken = async (context: Context): Promise<string> => {
  await context.succeed(listRequest);
  return context.run.sender.session.token();
};

/** The request with a bad token. With the good one it is the control: a server may check a limit before the token. */
export const withBadToken = (
  { accepted, ...spec }: Guarded,
  { requirement, what, exactly }: BadToken,
  authorization: string | null,
  derivedFrom?: string,
): RequestSpec => ({
  ...spec,
  intent: invalid(what, inputKinds.credentials),
  authorization,
  refusal: {
    requirement,
    control: () => ({ ...spec, intent: valid }),
    isControlRefused: accepted === false,
    ...defined({ status: exactly, derivedFrom }),
  },
});

export const observeStatus = (context: Context, what: string, exchange: Exchange): void => {
  const { operation, response } = exchange;
  if (isRefusal(exchange))
    context.observeAnswer("OPEN-23", `${operationTitle(operation)} ${what}`, exchange, String(response.status));
};

/** How often the tokens may lapse in the middle before the check gives up. */
const mostTries = 3;

/**
 * Presents altered tokens while the unaltered one is accepted, before and after: a lapsed token would prove nothing. If
 * it is refused afterwards, each of them is sent again, derived from a new token.
 */
export const presentAltered = async (context: Context, guarded: Guarded, rows: readonly Altered[]): Promise<void> => {
  if (rows.length === 0) return;
  const { knowledge, run } = context;
  if (!knowledge.alteredTokensEndOthers) {
    if (await isAliveAfter(context, guarded, rows)) return;
    run.badCredentials.changed();
  }
  for (const row of rows) await presentAlone(context, guarded, row);
};

/**
 * A server may revoke a token when it sees an altered copy: the last refusal counts, because the token worked before.
 */
const presentAlone = async (context: Context, guarded: Guarded, row: Altered): Promise<void> => {
  const { knowledge } = context;
  if (knowledge.alteredTokensEndOthers) {
    await sendAltered(context, guarded, [row]);
    return;
  }
  for (let tries = 1; tries < mostTries; tries += 1) if (await isAliveAfter(context, guarded, [row])) return;
  if (!(await isAliveAfter(context, guarded, [row], false))) knowledge.tokenEnded();
};

/** Whether the unaltered token is accepted after the altered ones. `isProof`: a refusal counts only if it is. */
const isAliveAfter = (context: Context, guarded: Guarded, rows: readonly Altered[], isProof = true): Promise<boolean> =>
  sendAltered(
    context,
    guarded,
    rows,
    async (token) => {
      const control: RequestSpec = { ...listRequest, authorization: `Bearer ${token}` };
      return isSuccess(await context.send(control));
    },
    isProof,
  );

const sendAltered = (
  context: Context,
  guarded: Guarded,
  rows: readonly Altered[],
  isAlive: (token: string) => Promise<boolean> = async () => true,
  isProof = false,
): Promise<boolean> =>
  context.run.badCredentials.section(async () => {
    const token = await liveToken(context);
    const presented = rows.flatMap((row) => {
      const altered = row.alter(token);
      if (row.scheme === undefined && (altered === token || altered.length < 4)) {
        context.inconclusive(row.requirement, `no request ${row.what} can be made of a token of this kind`);
        return [];
      }
      context.run.redaction.add(altered, `token: ${row.what}`);
      return [{ row, authorization: `${row.scheme ?? "Bearer"} ${altered}` }];
    });
    const sent = await context.run.badCredentials.each(presented, async ({ row, authorization }) => ({
      row,
      exchange: await context.send(withBadToken(guarded, row, authorization, isProof ? token : undefined)),
    }));
    const wasAlive = sent.length === 0 || (await isAlive(token));
    if (wasAlive || !isProof) for (const { row, exchange } of sent) observeStatus(context, row.what, exchange);
    return wasAlive;
  });
