import type { RequestSpec } from "../../model/exchange.ts";
import type { RunSettings } from "../../model/target.ts";
import { BadCredentialsSpent } from "../scenario-errors.ts";
import { presentsItsOwn } from "./http-request.ts";

/** Whether a request presents a key or token that must be refused, or none. */
export const isBadCredential = (spec: RequestSpec): boolean => presentsItsOwn(spec) && spec.intent.kind === "invalid";

/** Keeps a run to the number of bad credentials that the user allows. Throws `BadCredentialsSpent`. */
export const createCredentialBound = ({
  maxBadCredentials: most = Infinity,
}: RunSettings): ((spec: RequestSpec) => void) => {
  let left = most;
  return (spec) => {
    if (isBadCredential(spec) && left-- <= 0) throw new BadCredentialsSpent(most);
  };
};
