import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { defined } from "../../../model/defined.ts";
import { invalid, isSuccess, valid, type RequestSpec } from "../../../model/exchange.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../../../spec/operations.ts";
import { inputKinds, tokenRefusals, type TokenRefusals } from "../../../spec/refusals.ts";
import { amountSupply, firstPair } from "../amounts.ts";
import { orNothing } from "../concurrency.ts";
import type { Context } from "../context.ts";
import { validBatch } from "../flows/batches.ts";
import { registerCounterparty } from "../flows/counterparties.ts";
import { itemBody } from "../flows/items.ts";
import { createOperation } from "../flows/operations.ts";
import { observing } from "../observing.ts";
import { counterpartyRequest, itemRequest, listRequest, validOperation } from "../requests.ts";

/**
 * A request with a good token. Where `accepted` is false the server refuses it with a good token too, and only 401 is
 * about the token.
 */
type Guarded = RequestSpec & { readonly accepted?: boolean };

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
    ...observing(spec, "OPEN-23", `${operationTitle(spec.operation)} ${what}`, "status"),
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

/** An endpoint that takes a token, and how it is checked. */
export interface GuardedOperation extends TokenRefusals {
  readonly operation: OperationName;
  /** The operations that preparing the request and sending it takes. */
  readonly needs: readonly OperationName[];
  /** Makes a request that is valid but for its header, since a server may look at body and path first. */
  readonly prepare: (context: Context) => Promise<Guarded>;
}

const guarded = (
  operation: keyof typeof tokenRefusals,
  before: readonly OperationName[],
  prepare: GuardedOperation["prepare"],
): GuardedOperation => ({ operation, ...tokenRefusals[operation], needs: [...before, operation], prepare });

/** The five endpoints that take a token (specification, Endpoints; INT-17). */
export const guardedOperations: readonly GuardedOperation[] = [
  guarded("createOperation", ["createCounterparty"], async (context) => {
    const { id: counterparty } = await registerCounterparty(context);
    const amount = amountSupply(context, 2);
    // Servers limit the operations a day. A request that is refused for this reason can still carry bad tokens.
    const control = await orNothing(createOperation(context, { counterparty, amount: amount() }));
    return { ...validOperation(context, { counterparty, amount: amount() }), accepted: control !== undefined };
  }),
  guarded("createCounterparty", [], async (context) =>
    counterpartyRequest(context, (await registerCounterparty(context)).body),
  ),
  guarded("addAcamItem", ["createCounterparty", "createOperation"], async (context) => {
    const { id: counterparty } = await registerCounterparty(context);
    const amount = amountSupply(context, 1)();
    const made = await orNothing(createOperation(context, { counterparty, amount }));
    await context.untilKnown();
    // If no more operations are accepted, use an earlier one, which need not accept another item.
    const id = made?.id ?? context.knowledge.lastOperation;
    if (id === undefined) throw new Inconclusive("no operation could be created, so there is none to add an item to");
    return { ...itemRequest(id, itemBody(context, amount)), accepted: made !== undefined };
  }),
  guarded("createBatch", [], async (context) => {
    const control = await context.send(await validBatch(context, firstPair(context)));
    // A second batch for a pair may be refused with any token (INT-27).
    return { ...(await validBatch(context, firstPair(context))), accepted: isSuccess(control) };
  }),
  guarded("listBatches", [], async () => listRequest),
];
