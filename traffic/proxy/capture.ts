import type { Fields } from "../../model/exchange.ts";
import { longestCaptured } from "./captured.ts";

/** Keeps a copy of a body that passes. */
export interface Capture {
  readonly add: (chunk: Uint8Array) => void;
  /** A copy; undefined where there were more bytes than are judged. */
  readonly bytes: () => Uint8Array | undefined;
}

export const createCapture = (): Capture => {
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add: (chunk) => {
      size += chunk.length;
      if (size <= longestCaptured) chunks.push(chunk);
      else chunks = [];
    },
    bytes: () => {
      if (size > longestCaptured) return undefined;
      const whole = new Uint8Array(size);
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.length;
      }
      return whole;
    },
  };
};

/** Headers as Node has them raw: names and values in turn. */
export const fieldsOf = (raw: readonly string[]): Fields => {
  const fields: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) fields.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return fields;
};
