import { fieldOf, type Fields } from "../../model/exchange.ts";
import type { OperationName } from "../../spec/operations.ts";
import { tokenRefusals, type TokenRefusals } from "../../spec/refusals.ts";
import type { BrokenRule } from "../../harness/judging/rules/refusals.ts";

/** Which credentials the traffic shows: browsers leave headers out when they export a recording. */
export interface CredentialsSeen {
  readonly tokens: boolean;
  readonly keys: boolean;
}

/** Words that programs send instead of a token if they have none. */
const noTokens = new Set(["null", "undefined", "none", "nil", "NaN", "[object Object]"]);

/** What a request breaks by its key or its token (specification, Endpoints and Authentication; INT-15 and INT-17). */
export const credentialRules = (
  operation: OperationName,
  headers: Fields,
  seen: CredentialsSeen,
): readonly BrokenRule[] => {
  if (operation === "createToken") return seen.keys ? keyRules(fieldOf(headers, "x-api-key")) : [];
  if (!seen.tokens) return [];
  const rule = (change: string, which: "missing" | "madeUp" | "malformed"): readonly BrokenRule[] => {
    const { [which]: requirement, exactly }: TokenRefusals = tokenRefusals[operation];
    // For a header with another format, no status is stated.
    const status = which === "malformed" ? undefined : exactly;
    return [{ change, refusal: { requirement, ...(status === undefined ? {} : { status }) } }];
  };
  const value = fieldOf(headers, "authorization");
  if (value === undefined) return rule("without an Authorization header", "missing");
  const [scheme = "", ...rest] = value.trim().split(/ +/);
  const token = rest.join(" ");
  if (token === "" && /^bearer$/i.test(scheme)) return rule("with the scheme Bearer and no token", "malformed");
  if (noTokens.has(token) && /^bearer$/i.test(scheme)) return rule(`with the word ${token} for a token`, "madeUp");
  // Whether the token is a good one cannot be told: accepting it fails a SHOULD if it is (INT-46).
  if (token !== "" && !/^bearer$/i.test(scheme))
    return [{ change: "with another scheme than Bearer", refusal: { requirement: "AUTH-41" } }];
  return [];
};

const keyRules = (key: string | undefined): readonly BrokenRule[] => {
  if (key === undefined) return [{ change: "without an API key", refusal: { requirement: "AUTH-05" } }];
  return key === "" ? [{ change: "with an empty API key", refusal: { requirement: "AUTH-06" } }] : [];
};
