import type { ReceivedResponse, RequestSpec } from "../../model/exchange.ts";
import type { RunSettings, Profile } from "../../model/target.ts";
import { Inconclusive, BadCredentialsSpent } from "../scenario-errors.ts";
import { presentsItsOwn } from "./http-request.ts";
import { operations } from "../../spec/operations.ts";
import type { ClientBounds } from "./client.ts";

/** Most requests of a run that may succeed in creating something; a run with the default options needs fewer. */
export const mostCreations = ({ profile, selection, runs }: RunSettings): number =>
  profile === "smoke" ? 0 : Math.min(400 + 10 * runs, selection.length * (100 + 4 * runs));

/** Keeps a run to the number of creations that it announced. */
export const createCreationBound = (settings: RunSettings) => {
  const most = mostCreations(settings);
  let left = most;
  return {
    /** Called before a request is sent. Throws Inconclusive if it could be one creation too many. */
    take: (spec: RequestSpec): void => {
      // With the profile smoke, the client refuses them as an internal error.
      if (settings.profile === "full" && creates(spec) && left-- <= 0) {
        throw new Inconclusive(`this run has created as much as it announced (${most}); raise --runs`);
      }
    },
    /** Called with the response: a refused request created nothing. */
    giveBack: (spec: RequestSpec, { status }: ReceivedResponse): void => {
      if (creates(spec) && status >= 400 && status < 500) left += 1;
    },
  };
};

const creates = ({ operation }: RequestSpec): boolean => operation !== "createToken" && operation !== "listBatches";

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

/** The only requests that a profile may send: `smoke` nothing that creates, `full` anything (undefined). */
export const requestsOf = (profile: Profile): ClientBounds["only"] =>
  profile === "smoke" ? [operations.createToken, operations.listBatches] : undefined;
