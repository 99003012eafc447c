import { bounds } from "../../model/bounds.ts";

export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * Bytes that the large bodies of a client share while they are read. A body that finds too few
 * bytes left waits until other bodies are done.
 */
export function createBodyBudget(most: number = bounds.bodiesInFlight) {
  let free = most;
  const waiting: { readonly bytes: number; readonly go: () => void }[] = [];
  const serve = (): void => {
    for (let first = waiting[0]; first !== undefined && first.bytes <= free; [first] = waiting) {
      waiting.shift();
      free -= first.bytes;
      first.go();
    }
  };
  return {
    /**
     * The part of one body, which is nothing at first. A body above the budget has all of it,
     * alone.
     */
    part: () => {
      let own = 0;
      const giveBack = (): void => {
        free += own;
        own = 0;
        serve();
      };
      return {
        has: (bytes: number): boolean => Math.min(bytes, most) <= own || bytes <= bounds.largeBody,
        /** Gives back what the body has, so that two bodies never wait for each other. */
        take: async (bytes: number): Promise<void> => {
          giveBack();
          const wanted = Math.min(bytes, most);
          await new Promise<void>((go) => {
            waiting.push({ bytes: wanted, go });
            serve();
          });
          own = wanted;
        },
        giveBack,
      };
    },
  };
}

/**
 * Gives a large body that came before in the place of an equal one: what was read and judged of it
 * is known.
 */
export function createSharing(): (body: Uint8Array) => Uint8Array {
  let recent: readonly WeakRef<Uint8Array>[] = [];
  // The body is kept, so that it is found when the server sends it again.
  let last: Uint8Array = new Uint8Array();
  return (body) => {
    if (body.length < bounds.largeBody) return body;
    const known = recent
      .map((one) => one.deref())
      .find((one) => one !== undefined && Buffer.compare(one, body) === 0);
    if (known === undefined)
      recent = [...recent, new WeakRef(body)].slice(-bounds.rememberedBodies);
    last = known ?? body;
    return last;
  };
}
