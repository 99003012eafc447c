import * as v from "valibot";
import { masked, suggestion } from "../problem.ts";
import { anyObject, message, refusing, type Kind } from "./kind.ts";
import { ownHeaders } from "../../model/target.ts";

/**
 * A text that is not empty and has no control characters. A number in the configuration file is
 * refused, because YAML reads 0017 as 17.
 */
export const text: Kind<string, string> = {
  schema: v.pipe(
    v.string(({ input }) =>
      typeof input === "number"
        ? message("a text", "Put it in quotes.")
        : "a text that is not empty",
    ),
    v.check((value) => value.trim() !== "", "a text that is not empty"),
    v.check((value) => !/[\r\n]/.test(value), "a text without a line break in its middle"),
    v.regex(/^[^\u0000-\u001f\u007f]+$/, "a text without control characters"),
  ),
};

const switches: Readonly<Record<string, boolean>> = {
  true: true,
  "1": true,
  yes: true,
  false: false,
  "0": false,
  no: false,
};

/**
 * A switch: a flag without a word, or `true` or `false` in a variable or in the configuration file.
 */
export const onOff: Kind<boolean, boolean> = {
  schema: v.boolean("true or false"),
  fromText: (word) => switches[lowered(word)] ?? word,
};

/** One of a few words. In flags and variables, letter case does not matter. */
export function choice<const W extends string>(words: readonly W[]): Kind<W, string> {
  return {
    schema: choiceSchema(words),
    fromText: lowered,
  };
}

export function choices<const W extends string>(
  words: readonly W[],
): Kind<readonly W[], string | string[]> {
  return {
    ...listOf(choiceSchema(words), `some of ${words.join(", ")}`),
    fromText: lowered,
  };
}

function lowered(word: string): string {
  return word.trim().toLowerCase();
}

function choiceSchema<const W extends string>(words: readonly W[]): v.GenericSchema<string, W> {
  return v.picklist(words, ({ input }) =>
    message(
      `one of ${words.join(", ")}`,
      typeof input === "string" ? suggestion(input.trim(), words) : undefined,
    ),
  );
}

interface Entry {
  /** What the whole list must be, in words that follow "must be …". */
  readonly wanted: string;
  readonly pattern: RegExp;
  /** What to do about an entry that does not fit. */
  readonly advice?: (entry: string) => string;
  /** The array in the configuration file may be empty. */
  readonly mayBeEmpty?: true;
}

/** A list of words: an array, or a text with commas between the words. Duplicates are dropped. */
export function list({
  wanted,
  pattern,
  advice,
  mayBeEmpty,
}: Entry): Kind<readonly string[], string | string[]> {
  const entry = v.pipe(
    v.string(wanted),
    v.regex(pattern, ({ input }) => message(wanted, advice?.(input))),
  );
  return listOf(entry, wanted, mayBeEmpty === true ? 0 : 1);
}

/**
 * A list of values whose texts have no commas. `least`: the fewest entries that an array may have.
 */
export function listOf<T>(
  entry: v.GenericSchema<string, T>,
  wanted: string,
  least = 1,
): Kind<readonly T[], string | string[]> {
  const none = message(wanted, "Name at least one.");
  const array = v.pipe(v.array(entry, wanted), v.minLength(least, none));
  const text = v.pipe(
    v.string(),
    v.transform(wordsOf),
    v.array(entry, wanted),
    v.minLength(1, none),
  );
  return {
    schema: v.pipe(
      v.union([array, text], wanted),
      v.transform((all) => [...new Set(all)]),
    ),
    repeatable: ",",
  };
}

function wordsOf(value: string): string[] {
  return value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Matches the name of a header (RFC 9110, section 5.6.2). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const headerNames = list({
  wanted: "a list of header names",
  pattern: headerName,
  mayBeEmpty: true,
});

/**
 * A header as it was given: with its value, or with `env:NAME` or `file:path` in place of the
 * value.
 */
export interface HeaderEntry {
  readonly name: string;
  readonly value: string;
}

const advice =
  'Write "X-Gateway-Key: value", or "X-Gateway-Key: env:NAME" to read the value from a variable.';
const wanted =
  'a header as "Name: value", or, in the configuration file, an object from names to values';

/** The headers in lines such as `Name: value`, or the text itself if a line has no valid name. */
function headersIn(text: string): unknown {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const entries = lines.map((line) => {
    const colon = line.indexOf(":");
    // A line without a colon has no name.
    const name = line.slice(0, Math.max(0, colon)).trim();
    return { name, value: line.slice(colon + 1).trim() };
  });
  if (entries.length === 0 || entries.some(({ name }) => !headerName.test(name))) return text;
  const all = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
  return Object.keys(all).length < entries.length ? text : all;
}

function headerProblem(all: readonly HeaderEntry[]): string | undefined {
  const seen = new Set<string>();
  for (const { name, value } of all) {
    const key = name.toLowerCase();
    const reason = Object.hasOwn(ownHeaders, key) ? ownHeaders[key] : undefined;
    if (!headerName.test(name)) return `${wanted}, but ${JSON.stringify(masked(name))} is no name`;
    if (reason !== undefined)
      return message(`a header that fxconform does not set itself, unlike ${name}`, reason);
    if (seen.has(key)) return `a header for each name, but ${masked(name)} is there twice`;
    if (value === "") return message(`a header with a value, but ${masked(name)} has none`, advice);
    seen.add(key);
  }
  return undefined;
}

const headerValue = v.string(
  message("headers whose values are texts", "Put each value in quotes."),
);

/** Headers: an object from names to values, or a text with a line `Name: value` for each. */
export const headers: Kind<readonly HeaderEntry[], Record<string, string>> = {
  fromText: headersIn,
  schema: v.pipe(
    anyObject(message(wanted, advice), headerValue),
    v.record(v.string(), headerValue),
    v.transform((all): readonly HeaderEntry[] =>
      Object.entries(all).map(([name, value]) => ({ name, value: value.trim() })),
    ),
    refusing(headerProblem),
  ),
  repeatable: "\n",
};
