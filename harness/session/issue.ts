import { isRefusal, isSuccess, memberOf, messageOf } from "../../model/exchange.ts";
import { isUsableToken, longestToken } from "../../model/token.ts";
import { blockWaits } from "./blocks.ts";
import type { SessionParts } from "./session-parts.ts";
import { sessionOrigin } from "./session-requests.ts";
import { tokenRequests, type Issued } from "./session.ts";

/** Fetches a new token; tries each form of the token request. */
export const createIssue = (parts: Pick<SessionParts, "signal" | "facts" | "blocks" | "withRetries">) => {
  const { signal, facts, blocks, withRetries } = parts;

  const issueOnce = async (): Promise<Issued> => {
    let reason = "";
    const known = facts.tokenRequest();
    for (const spec of known === undefined ? tokenRequests : [known]) {
      const exchange = await withRetries(spec, sessionOrigin);
      const token = memberOf(exchange.json, "token");
      if (isSuccess(exchange) && isUsableToken(token)) {
        if (token.length > longestToken) {
          return { reason: `POST /auth/token gave a token of ${token.length} characters, which no header can carry` };
        }
        facts.issuedBy(spec);
        return { token };
      }
      if (reason === "") {
        reason = `POST /auth/token gave no usable token: ${messageOf(exchange)}. Is the API key right?`;
      }
      if (!isRefusal(exchange)) break;
    }
    return { reason };
  };

  return async (): Promise<Issued> => {
    let issued = await issueOnce();
    for (const wait of facts.keyWorked() ? blockWaits : []) {
      if ("token" in issued || signal.aborted) break;
      await blocks.waitOut(wait, "no token for a key that has worked");
      issued = await issueOnce();
    }
    return issued;
  };
};
