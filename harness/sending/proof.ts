import { operations, operationTitle, takesToken } from "../../spec/operations.ts";
import { fieldOf, isSuccess, messageOf, type Exchange, type Origin } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import { Inconclusive } from "../errors.ts";
import { adviceOnRefused, type SendingFacts } from "./facts.ts";
import { listRequest, sessionOrigin, type Session } from "./session.ts";

interface Parts {
  readonly facts: SendingFacts;
  readonly session: Session;
  readonly send: (spec: RequestSpec, origin: Origin) => Promise<Exchange>;
}

/**
 * Sends good credentials of the same kind as those of a bad request: a token is fetched with the key,
 * or the list with the token of the session, or with an older one. Resolves to the token that was
 * issued or accepted, or to undefined.
 */
export function createProof({ facts, session, send }: Parts) {
  const keep = (of: "key" | "token", reason: string): void => {
    if (!facts.lockedOut.has(of)) facts.lockedOut.set(of, reason);
  };
  const ofToken = async (older: string | undefined): Promise<string | undefined> => {
    const good =
      older === undefined ? listRequest : { ...listRequest, authorization: bearer(older) };
    const exchange = await send(good, sessionOrigin);
    const { response, request } = exchange;
    const isForAll = !facts.accepting.has(listRequest.operation);
    if (older === undefined && (isForAll || [401, 403].includes(response.status)))
      keep(
        "token",
        `${operationTitle(listRequest.operation)} refuses good tokens too: ${messageOf(exchange)}. ${adviceOnRefused(facts)}`,
      );
    if (!isSuccess({ response })) return undefined;
    return fieldOf(request.headers, "authorization")?.slice(bearer("").length);
  };

  return async (
    { operation }: RequestSpec,
    older: string | undefined,
  ): Promise<string | undefined> => {
    try {
      return await (takesToken(operation) ? ofToken(older) : session.proveKey());
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      // No wait of a run ends this: no more bad credentials are sent.
      keep(operations[operation].credential, error.message.replace(/^not sent: /, ""));
      return undefined;
    }
  };
}

const bearer = (token: string): string => `Bearer ${token}`;
