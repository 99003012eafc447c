import { nearest } from "../suggestion.ts";
import { anyCase, Misfit, type JsonSchema, type Kind } from "./kind.ts";

/** One word of a few; letter case is free. */
export const choice = <const W extends string>(words: readonly W[]): Kind<W> => ({
  ofText: (text) => chosen(words, text),
  ofFile: (value) => chosen(words, value),
  schema: schemaOf(words),
  toText: (value) => value,
});

/** One or more words of a few. */
export function choices<const W extends string>(words: readonly W[]): Kind<readonly W[]> {
  const all = (values: readonly unknown[]): readonly W[] => {
    if (values.length === 0) throw new Misfit(`some of ${words.join(", ")}`);
    return [...new Set(values.map((value) => chosen(words, value)))];
  };
  const ofText = (text: string): readonly W[] => all(text.split(",").filter((word) => word.trim() !== ""));
  return {
    ofText,
    ofFile: (value) => {
      if (Array.isArray(value)) return all(value);
      return typeof value === "string" ? ofText(value) : all([value]);
    },
    schema: {
      anyOf: [
        { type: "array", minItems: 1, items: schemaOf(words) },
        { type: "string", minLength: 1 },
      ],
    },
    toText: (value) => value.join(","),
    toFile: (value) => value,
    repeatable: ",",
  };
}

/** Editors offer the words; fxconform accepts any letter case. */
const schemaOf = (words: readonly string[]): JsonSchema => ({
  anyOf: [{ enum: words }, { type: "string", pattern: `^\\s*(${words.map(anyCase).join("|")})\\s*$` }],
});

function chosen<W extends string>(words: readonly W[], value: unknown): W {
  const wanted = typeof value === "string" ? value.trim().toLowerCase() : undefined;
  const word = words.find((one) => one === wanted);
  if (word !== undefined) return word;
  const near = wanted === undefined ? undefined : nearest(wanted, words);
  throw new Misfit(`one of ${words.join(", ")}`, near === undefined ? undefined : `Did you mean ${near}?`);
}
