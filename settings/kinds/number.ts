import * as v from "valibot";
import { either, message, textOr, type Kind } from "./kind.ts";

/** The values that a number may have, both ends included. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** A number in a range; fractions are allowed. */
export const number = (range: NumberRange): Kind<number, number> => ({
  schema: bounded(range, `a number from ${range.min} to ${range.max}`),
  fromWord: numberIn,
});

/** A whole number in a range. */
export const wholeNumber = (range: NumberRange, advice?: string): Kind<number, number> => {
  const text = message(`a whole number from ${range.min} to ${range.max}`, advice);
  return { schema: v.pipe(bounded(range, text), v.integer(text)), fromWord: numberIn };
};

/** A whole number that may be left out: the flag alone, or `true` elsewhere, is 1. */
export const count = (range: NumberRange): Kind<number, number | true> => {
  const { schema } = wholeNumber(range, "Leave the option out for no limit.");
  const one = v.pipe(
    v.literal(true),
    v.transform(() => 1),
  );
  return {
    schema: either((value) => value === true, one, schema),
    fromWord: (word) => word.trim().toLowerCase() === "true" || numberIn(word),
  };
};

/** A duration in milliseconds: `1500ms`, `10s`, `2m`, or a bare number. */
export const duration = (min: string, max: string): Kind<number, number | string> =>
  measure(
    "a duration",
    min,
    max,
    { "": 1, ms: 1, s: 1_000, m: 60_000 },
    "1500ms, 10s or 2m; a bare number means milliseconds",
  );

/** A size in bytes: `128MiB`, `1MB`, or a bare number. */
export const size = (min: string, max: string): Kind<number, number | string> =>
  measure("a size", min, max, sizes, "128MiB or 1MB; a bare number means bytes");

const sizes = { "": 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** A number with an optional unit. */
function measure(
  noun: string,
  min: string,
  max: string,
  units: Readonly<Record<string, number>>,
  examples: string,
): Kind<number, number | string> {
  const text = message(`${noun} from ${min} to ${max}`, `Write it like ${examples}.`);
  const valueOf = (word: string): number => {
    const [, digits, unit = ""] = /^\s*([\d.]+)\s*([a-z]*)\s*$/i.exec(word) ?? [];
    const [, factor = NaN] = Object.entries(units).find(([name]) => name.toLowerCase() === unit.toLowerCase()) ?? [];
    return Math.round(Number(digits) * factor);
  };
  const amount = bounded({ min: valueOf(min), max: valueOf(max) }, text);
  const worded = v.pipe(v.string(), v.regex(/^\s*\d+(\.\d+)?\s*[A-Za-z]*\s*$/, text), v.transform(valueOf), amount);
  return { schema: textOr(worded, v.pipe(amount, v.transform(Math.round))) };
}

const bounded = ({ min, max }: NumberRange, text: string) =>
  v.pipe(v.number(text), v.minValue(min, text), v.maxValue(max, text));

function numberIn(word: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(word.trim()) ? Number(word) : word;
}
