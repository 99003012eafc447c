/** Counts the uses of tokens, to learn how many requests this server accepts with one token. */
interface TokenUses {
  /** Counts a request with the token. True if it uses the token up. */
  readonly sent: (token: string) => boolean;
  /** The server took the token. */
  readonly accepted: (token: string) => void;
  readonly lapsed: (token: string) => void;
}

/** The number is known when two tokens in a row were accepted equally often, and at least this often. */
const fewest = 2;

export const createTokenUses = (): TokenUses => {
  const sent = new Map<string, number>();
  const accepted = new Map<string, number>();
  const lapsed: string[] = [];
  let most: number | undefined;
  return {
    sent: (token) => {
      const times = (sent.get(token) ?? 0) + 1;
      sent.set(token, times);
      return times === most;
    },
    accepted: (token) => void accepted.set(token, (accepted.get(token) ?? 0) + 1),
    lapsed: (token) => {
      if (lapsed.at(-1) === token) return;
      // Responses to the token that has just lapsed may still arrive, so compare the two before it.
      const [one, other] = lapsed.slice(-2).map((earlier) => accepted.get(earlier) ?? 0);
      most = one === other && one !== undefined && one >= fewest ? one : undefined;
      lapsed.push(token);
    },
  };
};
