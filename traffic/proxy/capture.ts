import { longestCaptured } from "./captured.ts";

/** Keeps a copy of a body that passes. */
export interface Capture {
  readonly add: (chunk: Uint8Array) => void;
  /** A copy, which is then no longer kept; undefined where there were more bytes than are judged. */
  readonly taken: () => Uint8Array | undefined;
}

/** Bytes that the bodies under way may hold together: with hundreds of clients, a bound for each body is none. */
const mostHeld = 64 * 2 ** 20;

/** Captures that share a bound. What does not fit is not captured, and passes all the same. */
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
