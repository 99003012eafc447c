import { gzipSync } from "node:zlib";
import { printfFormat } from "./shell.ts";

/** Characters above which a script is made shorter by base64. */
const longestScript = 4000;

/** A byte that is repeated at least this often is written as a count. */
const shortestRun = 64;

/** A shell command that prints exactly these bytes: readable if it is short enough, else as short as possible. */
export const bytesCommand = (bytes: Uint8Array): string => {
  const parts = partsOf(bytes).map(({ from, to, isRun }) =>
    isRun ? runCommand(bytes[from] ?? 0, to - from) : `printf ${printfFormat(bytes.subarray(from, to))}`,
  );
  const script = parts.length === 1 ? (parts[0] ?? "") : `{ ${parts.join("; ")}; }`;
  if (script.length <= longestScript) return script;
  const plain = Buffer.from(bytes).toString("base64");
  const packed = gzipSync(bytes).toString("base64");
  return packed.length < plain.length ? `printf %s ${packed} | base64 -d | gzip -dc` : `printf %s ${plain} | base64 -d`;
};

/** Pads an empty text, which every `printf` can do. */
const runCommand = (byte: number, count: number): string => {
  const character = String.fromCharCode(byte);
  if (character === " ") return `printf '%${count}s' ''`;
  const shown = /[\w[\]{}.,:"]/.test(character) ? character : `\\${byte.toString(8).padStart(3, "0")}`;
  return `printf '%${count}s' '' | tr ' ' '${shown}'`;
};

interface Part {
  readonly from: number;
  readonly to: number;
  readonly isRun: boolean;
}

/** The bytes cut into long runs of one ASCII character and what is between them. */
const partsOf = (bytes: Uint8Array): readonly Part[] => {
  const parts: Part[] = [];
  let done = 0;
  const add = (from: number, to: number, isRun: boolean): void => void (to > from && parts.push({ from, to, isRun }));
  for (let from = 0; from < bytes.length;) {
    let to = from + 1;
    while (to < bytes.length && bytes[to] === bytes[from]) to += 1;
    if (to - from >= shortestRun && (bytes[from] ?? 0) < 0x80) {
      add(done, from, false);
      add(from, to, true);
      done = to;
    }
    from = to;
  }
  add(done, bytes.length, false);
  return parts;
};
