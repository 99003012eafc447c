import { Misfit, type JsonSchema, type Kind } from "./kind.ts";

/** What each entry of a list must be. */
export interface Entry {
  /** Completes "must be …" for the whole list. */
  readonly wanted: string;
  /** Regular expression of a good entry, for the schema too. */
  readonly pattern: string;
  /** What to do about an entry that does not fit. */
  readonly advice?: (entry: string) => string | undefined;
}

/** One or more words: separated by commas in a flag, an array or such a text in the file. Duplicates are dropped. */
export function list({ wanted, pattern, advice }: Entry): Kind<readonly string[]> {
  const fits = new RegExp(pattern);
  const checked = (entries: readonly unknown[]): readonly string[] => {
    if (entries.length === 0) throw new Misfit(wanted, "Name at least one.");
    for (const entry of entries) {
      if (typeof entry !== "string") throw new Misfit(wanted);
      if (!fits.test(entry)) throw new Misfit(wanted, advice?.(entry));
    }
    return [...new Set(entries as readonly string[])];
  };
  const ofText = (text: string): readonly string[] => checked(wordsOf(text));
  const schema: JsonSchema = {
    anyOf: [
      { type: "array", minItems: 1, items: { type: "string", pattern } },
      { type: "string", minLength: 1 },
    ],
  };
  return {
    ofText,
    ofFile: (value) => {
      if (Array.isArray(value)) return checked(value);
      return typeof value === "string" ? ofText(value) : checked([value]);
    },
    schema,
    toText: (value) => value.join(","),
    toFile: (value) => value,
  };
}

const wordsOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
