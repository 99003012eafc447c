/** How often tokens were used, to learn for how many requests this server lets one be good. */
interface TokenUses {
  /** A request goes out with the token. True where the token is used up with it. */
  readonly sent: (token: string) => boolean;
  /** The server took the token. */
  readonly accepted: (token: string) => void;
  readonly lapsed: (token: string) => void;
}

/** Two tokens in a row that were taken equally often, and more often than this, show the number. */
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
      // Of the token that has just lapsed, responses may be under way.
      const [one, other] = lapsed.slice(-2).map((earlier) => accepted.get(earlier) ?? 0);
      most = one === other && one !== undefined && one >= fewest ? one : undefined;
      lapsed.push(token);
    },
  };
};
