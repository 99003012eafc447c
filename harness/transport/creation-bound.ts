import type { ReceivedResponse, RequestSpec } from "../../model/exchange.ts";
import type { RunSettings } from "../../model/target.ts";
import { Inconclusive } from "../scenario-errors.ts";

/** Most requests of a run that may succeed in creating something; a run with the default options needs fewer. */
export const mostCreations = ({ profile, selection, runs }: RunSettings): number =>
  profile === "smoke" ? 0 : Math.min(400 + 10 * runs, selection.length * (100 + 4 * runs));

/** Keeps a run to the number of creations that it announced. */
export interface CreationBound {
  /** Called before a request is sent. Throws Inconclusive if it could be one creation too many. */
  readonly take: (spec: RequestSpec) => void;
  /** Called with the response: a refused request created nothing. */
  readonly giveBack: (spec: RequestSpec, response: ReceivedResponse) => void;
}

export const createCreationBound = (settings: RunSettings): CreationBound => {
  const most = mostCreations(settings);
  let left = most;
  return {
    take: (spec) => {
      // With the profile smoke, the client refuses them as an internal error.
      if (settings.profile === "full" && creates(spec) && left-- <= 0) {
        throw new Inconclusive(`this run has created as much as it announced (${most}); raise --runs`);
      }
    },
    giveBack: (spec, { status }) => {
      if (creates(spec) && status >= 400 && status < 500) left += 1;
    },
  };
};

const creates = ({ operation }: RequestSpec): boolean => operation !== "createToken" && operation !== "listBatches";
