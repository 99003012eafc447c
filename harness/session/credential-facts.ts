import { isSuccess, memberOf, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import { isUsableToken, longestToken } from "../../model/token.ts";

/** What responses have shown of key and token so far. */
export interface CredentialFacts {
  readonly learn: (exchange: Exchange) => void;
  /** Whether the API key was accepted before: a refusal now may be temporary, like a firewall's block. */
  readonly keyWorked: () => boolean;
  /** Bytes of the list in its last successful response. */
  readonly listLength: () => number | undefined;
  /** The form of the token request that this server accepts. */
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
