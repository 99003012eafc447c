import { takesToken } from "../../spec/operations.ts";
import { fieldOf, isSuccess, messageOf, type Exchange, type Origin } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import { Inconclusive } from "../errors.ts";
import type { SendingFacts } from "./facts.ts";
import { listRequest, sessionOrigin, type Session } from "./session.ts";

interface Parts {
  readonly facts: SendingFacts;
  readonly session: Session;
  readonly send: (spec: RequestSpec, origin: Origin) => Promise<Exchange>;
}

/**
 * Sends good credentials of the same kind as those of a bad request, and resolves to whether they are
 * accepted: a token is fetched with the key, or the list with the token. A bad token that was made
 * from a good one is proven by exactly that one, as it may have expired meanwhile (INT-16).
 */
export function createProof({ facts, session, send }: Parts) {
  const ofToken = async (madeFrom: string | undefined): Promise<boolean> => {
    const isOlder = madeFrom !== undefined && madeFrom !== session.current();
    const good = isOlder ? { ...listRequest, authorization: `Bearer ${madeFrom}` } : listRequest;
    const exchange = await send(good, sessionOrigin);
    const { response, request } = exchange;
    if (!isOlder && [401, 403].includes(response.status))
      facts.lockedOut ??= `the server refuses good credentials too: ${messageOf(exchange)}. Raise its limits for this client.`;
    const accepted = fieldOf(request.headers, "authorization");
    return isSuccess({ response }) && (madeFrom === undefined || accepted === `Bearer ${madeFrom}`);
  };

  return async ({ operation }: RequestSpec, madeFrom: string | undefined): Promise<boolean> => {
    try {
      if (!takesToken(operation)) return (await session.proveKey()) !== "";
      return await ofToken(madeFrom);
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      // No wait of a run ends this: no more bad credentials are sent.
      facts.lockedOut ??= error.message.replace(/^not sent: /, "");
      return false;
    }
  };
}
