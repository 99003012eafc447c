import type { RequirementId } from "../../spec/catalogue.ts";
import { escaped, isObject, partsOf, type Json } from "../../spec/json.ts";
import { InputError } from "../../model/files.ts";
import type { Tree } from "./text.ts";

/** A file of a document. */
export interface DocumentSource extends Tree {
  /** The name of the file in findings and errors. */
  readonly name: string;
  /**
   * Opens the file that a reference in this file names before its `#`. Throws InputError if the
   * file must not or cannot be read.
   */
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

/** Longer lines than this are cut, and places in them have a column. */
export const widestLine = 160;

/**
 * A place as file and line: `openapi.yaml:12`. In a long line, such as that of a document which is
 * all one line, with the column: `openapi.json:1:4711`.
 */
export function lineText({ source, pointer }: Place): string {
  const { line, column } = source.positionOf(pointer);
  const isLong = (source.lines[line - 1] ?? "").length > widestLine;
  return `${source.name}:${line}${isLong ? `:${column}` : ""}`;
}

/** A text that is equal for equal places. */
export const keyOf = ({ source, pointer }: Place): string => `${source.name}#${pointer}`;

/**
 * Returns a member or an element of the value at a place, or undefined if there is none. Follows no
 * reference.
 */
export function childOf({ source, pointer, value }: Place, name: string): Place | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const child = (value as Readonly<Record<string, Json>>)[name];
  return child === undefined
    ? undefined
    : { source, pointer: `${pointer}/${escaped(name)}`, value: child };
}

/**
 * Returns the member or element that a chain of names leads to, or undefined if there is none.
 * Follows the references on the way and at its end.
 */
export function memberAt(place: Place | undefined, ...names: readonly string[]): Place | undefined {
  let current = place === undefined ? undefined : followed(place);
  for (const name of names) {
    const child = current && childOf(current, name);
    current = child && followed(child);
  }
  return current;
}

type Entries = readonly (readonly [name: string, at: Place])[];

/**
 * The members of an object or the elements of a list. Empty for any other value. Follows no
 * reference.
 */
export function childrenOf(place: Place | undefined): Entries {
  return Object.keys(place?.value ?? {}).flatMap((name) => {
    const child = place && childOf(place, name);
    return child === undefined ? [] : [[name, child] as const];
  });
}

/** The same, with all references followed. */
export function entriesAt(place: Place | undefined): Entries {
  return childrenOf(place && followed(place)).map(([name, child]) => [name, followed(child)]);
}

/**
 * Returns the place to which a reference at a place leads in the end, or the place itself if it is
 * no reference. Throws InputError if the reference leads nowhere or to itself.
 */
export function followed(place: Place, steps = 0): Place {
  const reference = referenceAt(place);
  if (reference === undefined) return place;
  if (steps === 100) throw new InputError(lineText(place), "the reference leads to itself");
  return followed(referredTo(place, reference), steps + 1);
}

/** Returns the text of the reference that stands at a place, or undefined if none does. */
export function referenceAt({ value }: Place): string | undefined {
  const reference = isObject(value) ? value["$ref"] : undefined;
  return typeof reference === "string" ? reference : undefined;
}

/** Returns the place to which a reference leads. Throws InputError if there is no such place. */
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

/** Decodes the percent-encoding of a text. Returns the text as it is if the encoding is wrong. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What one place of a document shows of a requirement. */
export type RequirementReading = ReturnType<typeof held> | Contradiction | ReturnType<typeof noted>;

/** A place that contradicts the specification, in the words of the document. */
export interface Contradiction {
  readonly kind: "contradiction";
  readonly requirement: RequirementId;
  readonly at: Place;
  /** What stands in the document: `type is number`. */
  readonly actual: string;
  /** What has to stand there: `must be string`. */
  readonly expected: string;
  /**
   * The document only says less than a server must do. This counts as a SHOULD at most (INT-58).
   */
  readonly isLess: boolean;
  /** Findings with the same words at other places have the same cause. */
  readonly isOneCause?: true;
  /** The strategy by which a member has another name than stated, such as camelCase. */
  readonly naming?: string | undefined;
}

export const held = (requirement: RequirementId) => ({ kind: "held", requirement }) as const;

/** Makes a contradiction: `actual` stands at a place, and `expected` has to stand there. */
export function contradicts(
  requirement: RequirementId,
  at: Place,
  actual: string,
  expected: string,
  more: Partial<Pick<Contradiction, "isLess" | "isOneCause" | "naming">> = {},
): Contradiction {
  return {
    kind: "contradiction",
    requirement,
    at,
    actual,
    expected,
    isLess: false,
    ...more,
  };
}

/** Something that is not compared, and the place where it stands. */
export const noted = (text: string, where: string) => ({ kind: "note", text, where }) as const;

/** A value of the document as JSON, cut to 80 characters. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
