import { escaped, isObject, partsOf, type Json } from "../../spec/json.ts";
import { InputError } from "../../model/files.ts";
import type { Tree } from "./text.ts";

/** A file of a document. */
export interface DocumentSource extends Tree {
  /** The name of the file in findings and errors. */
  readonly name: string;
  /** Opens the file that a reference in this file names before its `#`. Throws InputError. */
  readonly open: (reference: string, at: Place) => DocumentSource;
}

/** A place in a document: a value, and where it stands. */
export interface Place {
  readonly source: DocumentSource;
  /** A JSON pointer into the file. Empty for the whole file. */
  readonly pointer: string;
  readonly value: Json;
}

export function rootOf(source: DocumentSource): Place {
  return {
    source,
    pointer: "",
    value: source.value,
  };
}

/** A place as file and line: `openapi.yaml:12`. */
export function lineText({ source, pointer }: Place): string {
  return `${source.name}:${source.positionOf(pointer).line}`;
}

/** A text that is equal for equal places. */
export const keyOf = ({ source, pointer }: Place): string => `${source.name}#${pointer}`;

/** A member or an element of the value at a place. A reference there is not followed. */
export function childOf({ source, pointer, value }: Place, name: string): Place | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const child = (value as Readonly<Record<string, Json>>)[name];
  return child === undefined
    ? undefined
    : { source, pointer: `${pointer}/${escaped(name)}`, value: child };
}

/**
 * The member or element that a chain of names leads to. References on the way and at its end are
 * followed.
 */
export function memberAt(place: Place | undefined, ...names: readonly string[]): Place | undefined {
  let current = place === undefined ? undefined : followed(place);
  for (const name of names) {
    const child = current && childOf(current, name);
    current = child && followed(child);
  }
  return current;
}

/**
 * The members of an object or the elements of a list, with their references followed. None for any
 * other value.
 */
export function entriesAt(
  place: Place | undefined,
): readonly (readonly [name: string, at: Place])[] {
  if (place === undefined) return [];
  const whole = followed(place);
  if (typeof whole.value !== "object" || whole.value === null) return [];
  return Object.keys(whole.value).flatMap((name) => {
    const child = childOf(whole, name);
    return child === undefined ? [] : [[name, followed(child)] as const];
  });
}

/**
 * The place to which the references at a place lead. Without a reference, the place itself. Throws
 * InputError.
 */
export function followed(place: Place): Place {
  let current = place;
  const seen = new Set<string>();
  for (;;) {
    const reference = referenceAt(current);
    if (reference === undefined) return current;
    if (seen.has(keyOf(current)))
      throw new InputError(lineText(place), "the reference leads to itself");
    seen.add(keyOf(current));
    current = referredTo(current, reference);
  }
}

/** The text of a reference that stands at a place. */
export function referenceAt({ value }: Place): string | undefined {
  const reference = isObject(value) ? value["$ref"] : undefined;
  return typeof reference === "string" ? reference : undefined;
}

/** The place to which a reference leads. Throws InputError. */
export function referredTo(at: Place, reference: string): Place {
  const [file = "", fragment = ""] = reference.split("#", 2);
  const source = file === "" ? at.source : at.source.open(file, at);
  let current: Place | undefined = rootOf(source);
  for (const part of partsOf(decodedText(fragment))) current = current && childOf(current, part);
  if (current === undefined || (fragment !== "" && !fragment.startsWith("/"))) {
    const what = `the reference ${JSON.stringify(reference)} leads nowhere. Write a pointer such as #/components/schemas/Error`;
    throw new InputError(lineText(at), what);
  }
  return current;
}

/** A text with its percent-encoding decoded, if the encoding is right. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
