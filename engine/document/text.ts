import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
} from "yaml";
import { InputError } from "../../model/files.ts";
import { repeatedKey } from "../../model/repeated-key.ts";
import { partsOf, type Json } from "../../spec/json.ts";

/** The value of a text in YAML or JSON, and the positions of its parts. */
export type Tree = ReturnType<typeof treeOf>;

/**
 * Reads YAML or JSON in UTF-8 or UTF-16. `name`: what errors call the text. Throws InputError,
 * which does not quote the text.
 */
export function treeOf(bytes: Uint8Array, name: string) {
  const text = decoded(bytes, name);
  const tooDeep = new InputError(
    name,
    `is nested too deeply, or has more than ${mostParts} lines, commas and brackets. Leave out what the six operations do not need`,
  );
  if (isTooLarge(text)) throw tooDeep;
  const counter = new LineCounter();
  // Lines and columns are counted from one.
  const at = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  const refused = (what: string, offset: number): InputError =>
    new InputError(`${name}:${at(offset).line}`, `is neither JSON nor YAML: ${what}`);
  try {
    const document = parseDocument(text, {
      lineCounter: counter,
      prettyErrors: false,
      uniqueKeys: false,
      merge: true,
    });
    const [error] = document.errors;
    if (error?.code === "RESOURCE_EXHAUSTION") throw tooDeep;
    if (error !== undefined) throw refused(wordsOf(error.code), error.pos[0]);
    const repeated = repeatedKey(document);
    if (repeated !== undefined)
      throw new InputError(
        `${name}:${at(repeated).line}`,
        "a member stands twice in one object. Remove one of them",
      );
    return {
      value: document.toJS({ maxAliasCount: 100 }) as Json,
      lines: text.split(/\r\n|\r|\n/) as readonly string[],
      /**
       * The position of what a JSON pointer names: a member's name, or an element. If nothing is
       * there, the position of what is around it.
       */
      positionOf: (pointer: string) => at(offsetOf(document, pointer)),
    };
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof RangeError) throw tooDeep;
    throw new InputError(name, "has aliases without an anchor, or too many of them");
  }
}

/** The most lines, commas and brackets of a document. */
const mostParts = 300_000;

/**
 * Whether more than a thousand brackets are open at once, or dashes stand in one line, or the text
 * has more parts than any document of an API. The parser takes a kilobyte for each of them before
 * it finds that out. Those in texts count, too.
 */
function isTooLarge(text: string): boolean {
  let [depth, parts] = [0, 0];
  for (const [sign] of text.matchAll(/[[\]{},\n]|(?:[-?:][ \t]+){1000}/g)) {
    parts += 1;
    if (sign === "[" || sign === "{") depth += 1;
    if (sign === "]" || sign === "}") depth -= 1;
    if (sign.length > 1 || depth > 1000 || parts > mostParts) return true;
  }
  return false;
}

/**
 * Returns the code of an error as words, because the text of the error could quote the document:
 * `MISSING_CHAR` becomes `missing char`.
 */
const wordsOf = (code: string): string => code.toLowerCase().replaceAll("_", " ");

function decoded(bytes: Uint8Array, name: string): string {
  const [first = 1, second = 1] = bytes;
  let encoding = "utf-8";
  if (first === 0xfe || first === 0) encoding = "utf-16be";
  else if (first === 0xff || second === 0) encoding = "utf-16le";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(name, "is no text in UTF-8 or UTF-16. Save it in UTF-8");
  }
}

function offsetOf(document: Document, pointer: string): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const part of partsOf(pointer)) {
    const holder = isAlias(node) ? node.resolve(document) : node;
    const next = isSeq(holder) ? holder.items[Number(part)] : pairOf(holder, part);
    if (next === undefined) return offset;
    offset = isPair(next) ? startOf(next.key) : startOf(next);
    node = isPair(next) ? next.value : next;
  }
  return offset;
}

function pairOf(node: unknown, name: string): unknown {
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
}

function startOf(node: unknown): number {
  return (node as { range?: readonly number[] } | null)?.range?.[0] ?? 0;
}
