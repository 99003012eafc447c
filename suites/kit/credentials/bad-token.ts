import { defined } from "../../../model/defined.ts";
import { invalid, isSuccess, valid, type RequestSpec } from "../../../model/exchange.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { inputKinds } from "../../../spec/refusals.ts";
import type { Context } from "../context.ts";
import { observing } from "../observing.ts";
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
): RequestSpec => {
  const control = (): RequestSpec => ({ ...spec, intent: valid });
  const refusal = { requirement, control, isControlRefused: accepted === false };
  return {
    ...observing(spec, "OPEN-23", `${operationTitle(spec.operation)} ${what}`, { by: "status" }),
    intent: invalid(what, inputKinds.credentials),
    authorization,
    refusal: { ...refusal, ...defined({ status: exactly, derivedFrom }) },
  };
};

/**
 * Presents altered tokens while the unaltered one is accepted, before and after: a lapsed token would prove nothing. If
 * it is refused afterwards, each of them is sent again right after a new token was accepted: a server may revoke a token
 * when it sees an altered copy.
 */
export const presentAltered = async (context: Context, guarded: Guarded, rows: readonly Altered[]): Promise<void> => {
  if (rows.length === 0 || (await isAliveAfter(context, guarded, rows))) return;
  context.run.badCredentials.changed();
  for (const row of rows) await context.run.badCredentials.section(() => sendAltered(context, guarded, [row], false));
};

/** Whether the unaltered token is accepted after the altered ones, which counts as proof that they were examined. */
const isAliveAfter = (context: Context, guarded: Guarded, rows: readonly Altered[]): Promise<boolean> =>
  context.run.badCredentials.section(async () => {
    const token = await sendAltered(context, guarded, rows, true);
    return isSuccess(await context.send({ ...listRequest, authorization: `Bearer ${token}` }));
  });

/** Returns the token that they were made from. */
const sendAltered = async (
  context: Context,
  guarded: Guarded,
  rows: readonly Altered[],
  needsProof: boolean,
): Promise<string> => {
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
