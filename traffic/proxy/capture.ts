import { longestCaptured } from "./captured.ts";

/** Keeps a copy of a body that passes. */
export interface Capture {
  readonly add: (chunk: Uint8Array) => void;
  /** Hands over the copy, which is not kept any longer; undefined if there were more bytes than are judged. */
  readonly taken: () => Uint8Array | undefined;
}

/** The most bytes of all bodies in flight: with hundreds of clients, a bound for each body is not enough. */
const mostHeld = 64 * 2 ** 20;

/** Captures that share a bound. A body that does not fit is passed on, but not captured. */
export const createCaptures = (most = mostHeld): (() => Capture) => {
  let held = 0;
  return () => {
    let chunks: Uint8Array[] = [];
    let size = 0;
    let isWhole = true;
    const release = (): readonly Uint8Array[] => {
      const all = chunks;
      chunks = [];
      held -= size;
      size = 0;
      return all;
    };
    return {
      add: (chunk) => {
        if (!isWhole) return;
        if (size + chunk.length > longestCaptured || held + chunk.length > most) {
          isWhole = false;
          release();
          return;
        }
        chunks.push(chunk);
        size += chunk.length;
        held += chunk.length;
      },
      taken: () => {
        const whole = new Uint8Array(size);
        let at = 0;
        for (const chunk of release()) {
          whole.set(chunk, at);
          at += chunk.length;
        }
        return isWhole ? whole : undefined;
      },
    };
  };
};
