import { bounds } from "../../model/bounds.ts";
import { queued, waitFor } from "./waiting.ts";

export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * The bytes that large bodies share from their first byte until they are judged. A body that needs
 * more bytes than are left waits until other bodies are let go.
 */
export function createBodyBudget(signal: AbortSignal, most: number = bounds.bodiesInFlight) {
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
     * The part of the budget that one body has, which is nothing at first. A body that is larger
     * than the budget gets the whole budget, so that no other large body is read meanwhile.
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
        /**
         * Takes this many bytes, after giving back what the body has: otherwise two bodies could
         * wait for each other.
         */
        take: async (bytes: number): Promise<void> => {
          giveBack();
          const wanted = Math.min(bytes, most);
          await waitFor<void>("memory for a large response", signal, (go) => {
            const takeBack = queued(waiting, { bytes: wanted, go });
            serve();
            return takeBack;
          });
          own = wanted;
        },
        giveBack,
      };
    },
  };
}

/**
 * Makes a function that returns an earlier large body in place of an equal new one, because the
 * earlier body has been parsed and judged already.
 */
export function createSharing(): (body: Uint8Array) => Uint8Array {
  let recent: readonly WeakRef<Uint8Array>[] = [];
  // The last body is kept in memory, because a weak reference would not keep it until the server
  // sends it again.
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
