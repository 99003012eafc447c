import * as v from "valibot";
import { suggestion } from "../selection.ts";
import { message, refusing, textOr, type Kind, dictionary, either } from "./kind.ts";
import { ownHeaders } from "../../model/target.ts";

/** Text that is not empty and holds no control characters. Numbers in the file are refused: YAML reads 0017 as 17. */
export const text: Kind<string, string> = {
  schema: v.pipe(
    v.string(({ input }) =>
      typeof input === "number" ? message("a text", "Put it in quotes.") : "a text that is not empty",
    ),
    v.check((value) => value.trim() !== "", "a text that is not empty"),
    v.regex(/^[^\u0000-\u001f\u007f]+$/, "a text without control characters"),
  ),
};

const switches: Readonly<Record<string, boolean>> = {
  ...{ true: true, "1": true, yes: true },
  ...{ false: false, "0": false, no: false },
};

/** On or off: a flag without a word, `true` or `false` in a variable or the file. */
export const onOff: Kind<boolean, boolean> = {
  schema: v.boolean("true or false"),
  fromWord: (word) => switches[word.trim().toLowerCase()],
};

/** One word of a few; letter case is free in flags and variables. */
export const choice = <const W extends string>(words: readonly W[]): Kind<W, string> => ({
  schema: choiceSchema(words),
  fromWord: lowered,
});

export const choices = <const W extends string>(words: readonly W[]): Kind<readonly W[], string | string[]> => ({
  ...listOf(choiceSchema(words), `some of ${words.join(", ")}`),
  fromWord: lowered,
});

const lowered = (word: string): string => word.trim().toLowerCase();

const choiceSchema = <const W extends string>(words: readonly W[]): v.GenericSchema<string, W> =>
  v.picklist(words, ({ input }) =>
    message(`one of ${words.join(", ")}`, typeof input === "string" ? suggestion(input.trim(), words) : undefined),
  );

interface Entry {
  /** Completes "must be …" for the whole list. */
  readonly wanted: string;
  readonly pattern: RegExp;
  /** What to do about an entry that does not fit. */
  readonly advice?: (entry: string) => string;
  /** An empty array in the file states a fact: there are none. */
  readonly mayBeEmpty?: true;
}

/** Words: separated by commas in a flag, an array or such a text in the file. Duplicates are dropped. */
export const list = ({ wanted, pattern, advice, mayBeEmpty }: Entry): Kind<readonly string[], string | string[]> => {
  const entry = v.pipe(
    v.string(wanted),
    v.regex(pattern, ({ input }) => message(wanted, advice?.(input))),
  );
  return listOf(entry, wanted, mayBeEmpty === true ? 0 : 1);
};

/** A list of anything that has a text without a comma. */
export function listOf<T>(
  entry: v.GenericSchema<string, T>,
  wanted: string,
  least = 1,
): Kind<readonly T[], string | string[]> {
  const none = message(wanted, "Name at least one.");
  const entries = (fewest: number) =>
    v.pipe(
      v.array(entry, wanted),
      v.minLength(fewest, none),
      v.transform((all) => [...new Set(all)]),
    );
  return { schema: textOr(v.pipe(v.string(), v.transform(wordsOf), entries(1)), entries(least)), repeatable: "," };
}

const wordsOf = (value: string): string[] =>
  value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

export const paths = list({ wanted: "a list of files and folders", pattern: /\S/ });

/** A name of a header (RFC 9110, section 5.6.2). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const headerNames = list({ wanted: "a list of header names", pattern: headerName, mayBeEmpty: true });

/** A header as given: with its value, `env:NAME` or `file:path`. */
export interface HeaderEntry {
  readonly name: string;
  readonly value: string;
}

const advice = 'Write "X-Gateway-Key: value", or "X-Gateway-Key: env:NAME" to read the value from a variable.';
const wanted = message('a header as "Name: value"', advice);

/** The headers, if each has a name of its own and a value. */
const checked = v.pipe(
  v.array(v.object({ name: v.pipe(v.string(), v.regex(headerName, wanted)), value: v.string() })),
  refusing((all) => {
    const seen = new Set<string>();
    for (const { name, value } of all) {
      const key = name.toLowerCase();
      const reason = Object.hasOwn(ownHeaders, key) ? ownHeaders[key] : undefined;
      if (reason !== undefined) return message(`a header that fxconform does not set itself, unlike ${name}`, reason);
      if (seen.has(key)) return message(`a header for each name, but ${name} is there twice`, "Keep one of them.");
      if (value === "") return message(`a header with a value, but ${name} has none`, advice);
      seen.add(key);
    }
    return undefined;
  }),
);

const line = v.pipe(
  v.string(wanted),
  v.regex(/^\s*[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*:/, wanted),
  v.transform((text): HeaderEntry => {
    const [, name = "", value = ""] = /^\s*([^:]+?)\s*:(.*)$/.exec(text) ?? [];
    return { name, value: value.trim() };
  }),
);

const lines = v.pipe(v.array(line, wanted), checked);
const named = v.pipe(
  dictionary(v.string(message("headers whose values are texts", "Put each value in quotes.")), wanted),
  v.transform((all) => Object.entries(all).map(([name, value]): HeaderEntry => ({ name, value: value.trim() }))),
  checked,
);
const worded = v.pipe(
  v.string(),
  v.transform((text) => text.split(/\r?\n/).filter((one) => one.trim() !== "")),
  v.minLength(1, wanted),
  lines,
);

/** Headers: `Name: value`, a line each; in the file also an object from names to values. */
export const headers: Kind<readonly HeaderEntry[], string | string[] | Record<string, string>> = {
  schema: textOr(worded, either(Array.isArray, lines, named)),
  repeatable: "\n",
};
