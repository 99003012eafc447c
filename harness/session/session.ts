import { unusual, valid, type RequestSpec } from "../../model/exchange.ts";
import { Inconclusive } from "../scenario-errors.ts";

/** A new token, or why there is none. */
export type Issued = { readonly token: string } | { readonly reason: string };

/** The one session of a run: the token in use, and how to get the next (INT-16). */
export interface Session {
  /** The token in use, fetched if there is none yet. Throws Inconclusive if the server issues none. */
  readonly token: () => Promise<string>;
  readonly current: () => string | undefined;
  /** A token other than the one that was refused; fetched once, while all other requests wait. */
  readonly renew: (refused: string) => Promise<string>;
  /** Resolves when no token is being fetched. */
  readonly renewed: () => Promise<void>;
  /** Makes an issued token the current one. */
  readonly adopt: (token: string) => void;
  /** Runs token requests one at a time, so that the last issued is known. */
  readonly inOrder: <T>(task: () => Promise<T>) => Promise<T>;
}

/** After this many refusals in a row, the key is not tried again. */
const mostRefusals = 3;

/**
 * A session that gets its tokens from `issue`, which resolves to a token or to the reason why there is none. `hold` keeps
 * requests from being sent with a dead token until the function that it returns is called.
 */
export const createSession = (issue: () => Promise<Issued>, hold: () => () => void): Session => {
  let current: string | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let refusals = 0;
  let renewal: Promise<unknown> | undefined;
  let reason = "";

  const inOrder = async <T>(task: () => Promise<T>): Promise<T> => {
    const turn = queue.then(task, task);
    queue = turn.catch(() => undefined);
    return turn;
  };

  const fresh = (unwanted: string | undefined): Promise<string> =>
    inOrder(async () => {
      if (current !== undefined && current !== unwanted) return current;
      if (refusals >= mostRefusals) throw new Inconclusive(reason);
      const issued = await issue();
      if ("reason" in issued) {
        refusals += 1;
        reason = issued.reason;
        throw new Inconclusive(reason);
      }
      refusals = 0;
      current = issued.token;
      return issued.token;
    });

  const replaced = (unwanted: string): Promise<string> => {
    const release = hold();
    const own = fresh(unwanted).finally(release);
    renewal = own.catch(() => undefined);
    return own;
  };

  return {
    token: () => (current === undefined ? fresh(undefined) : Promise.resolve(current)),
    current: () => current,
    renew: (refused) => {
      return replaced(refused);
    },
    renewed: async () => {
      await renewal;
    },
    adopt: (token) => {
      current = token;
      refusals = 0;
    },
    inOrder,
  };
};

/**
 * Forms of the token request: the two that must work (INT-14), and one with a body. If only the one with a body works,
 * the server refuses the other two for their form and not for the key.
 */
export const tokenRequests: readonly RequestSpec[] = [
  { operation: "createToken", intent: valid, contentType: null },
  { operation: "createToken", intent: valid, contentType: "application/json" },
  { operation: "createToken", intent: unusual("with a body"), body: {} },
];
