import { Misfit, type JsonSchema, type Kind } from "./kind.ts";

/** What each entry of a list must be. */
export interface Entry {
  /** Completes "must be …" for the whole list. */
  readonly wanted: string;
  /** Regular expression of a good entry, for the schema too. */
  readonly pattern: string;
  /** What to do about an entry that does not fit. */
  readonly advice?: (entry: string) => string;
  /** An empty array in the file states a fact: there are none. */
  readonly mayBeEmpty?: boolean;
}

/** Words: separated by commas in a flag, an array or such a text in the file. Duplicates are dropped. */
export function list({ wanted, pattern, advice, mayBeEmpty = false }: Entry): Kind<readonly string[]> {
  const fits = new RegExp(pattern);
  const checked = (entries: readonly unknown[]): readonly string[] => {
    for (const entry of entries) {
      if (typeof entry !== "string") throw new Misfit(wanted);
      if (!fits.test(entry)) throw new Misfit(wanted, advice?.(entry));
    }
    return [...new Set(entries as readonly string[])];
  };
  const someOf = (entries: readonly unknown[]): readonly string[] => {
    if (entries.length === 0) throw new Misfit(wanted, "Name at least one.");
    return checked(entries);
  };
  const ofText = (text: string): readonly string[] => someOf(wordsOf(text));
  const schema: JsonSchema = {
    anyOf: [
      { type: "array", minItems: mayBeEmpty ? 0 : 1, items: { type: "string", pattern } },
      { type: "string", minLength: 1 },
    ],
  };
  return {
    ofText,
    ofFile: (value) => {
      if (Array.isArray(value)) return mayBeEmpty ? checked(value) : someOf(value);
      return typeof value === "string" ? ofText(value) : checked([value]);
    },
    schema,
    toText: (value) => value.join(","),
    toFile: (value) => value,
    repeatable: ",",
  };
}

const wordsOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** Names of files or folders. */
export const paths = list({ wanted: "a list of files and folders", pattern: "\\S" });
