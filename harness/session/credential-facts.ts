import { isSuccess, memberOf, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import { isUsableToken, longestToken } from "../../model/token.ts";

/** What responses have shown of key and token so far. */
export interface CredentialFacts {
  readonly learn: (exchange: Exchange) => void;
  /** The API key was accepted before: what refuses it now may pass, as a firewall's block does. */
  readonly keyWorked: () => boolean;
  /** Bytes of the list when it was last given. */
  readonly listLength: () => number | undefined;
  /** The request by which this server issues tokens. */
  readonly tokenRequest: () => RequestSpec | undefined;
  readonly issuedBy: (spec: RequestSpec) => void;
}

export const createCredentialFacts = (): CredentialFacts => {
  let keyWorked = false;
  let listLength: number | undefined;
  let tokenRequest: RequestSpec | undefined;
  return {
    learn: (exchange) => {
      if (!isSuccess(exchange)) return;
      const token = exchange.operation === "createToken" ? memberOf(exchange.json, "token") : undefined;
      keyWorked ||= exchange.intent.kind === "valid" && isUsableToken(token) && token.length <= longestToken;
      if (exchange.operation === "listBatches") listLength = exchange.response.body.length;
    },
    keyWorked: () => keyWorked,
    listLength: () => listLength,
    tokenRequest: () => tokenRequest,
    issuedBy: (spec) => {
      tokenRequest = spec;
    },
  };
};
