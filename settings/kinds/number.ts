import * as v from "valibot";
import { either, message, refusing, textOr, type Kind } from "./kind.ts";
import type { AmountRange } from "../../model/target.ts";

/** A number in a range, both ends included; fractions are allowed. */
export const number = (min: number, max: number): Kind<number, number> => ({
  schema: bounded(min, max, `a number from ${min} to ${max}`),
  fromWord: numberIn,
});

/** A whole number in a range, both ends included. */
export const wholeNumber = (min: number, max: number, advice?: string): Kind<number, number> => {
  const text = message(`a whole number from ${min} to ${max}`, advice);
  return { schema: v.pipe(bounded(min, max, text), v.integer(text)), fromWord: numberIn };
};

/** A whole number that may be left out: the flag alone, or `true` elsewhere, is 1. */
export const count = (min: number, max: number): Kind<number, number | true> => {
  const { schema } = wholeNumber(min, max, "Leave the option out for no limit.");
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

function measure(noun: string, min: string, max: string, units: Readonly<Record<string, number>>, examples: string) {
  const text = message(`${noun} from ${min} to ${max}`, `Write it like ${examples}.`);
  const valueOf = (word: string): number => {
    const [, digits, unit = ""] = /^\s*([\d.]+)\s*([a-z]*)\s*$/i.exec(word) ?? [];
    const [, factor = NaN] = Object.entries(units).find(([name]) => name.toLowerCase() === unit.toLowerCase()) ?? [];
    return Math.round(Number(digits) * factor);
  };
  const amount = bounded(valueOf(min), valueOf(max), text);
  const worded = v.pipe(v.string(), v.regex(/^\s*\d+(\.\d+)?\s*[A-Za-z]*\s*$/, text), v.transform(valueOf), amount);
  return { schema: textOr(worded, v.pipe(amount, v.transform(Math.round))) };
}

const bounded = (min: number, max: number, text: string) =>
  v.pipe(v.number(text), v.minValue(min, text), v.maxValue(max, text));

const numberIn = (word: string): unknown => (/^-?\d+(\.\d+)?$/.test(word.trim()) ? Number(word) : word);

const wanted = "a range such as 10..1000:2, that is minimum..maximum:decimals";
const positive = v.pipe(v.number(wanted), v.gtValue(0, "a range of amounts above zero"));
const decimals = "a range with 0 to 8 decimals";

const range = v.pipe(
  v.strictObject(
    {
      min: positive,
      max: positive,
      decimals: v.optional(
        v.pipe(v.number(wanted), v.integer(decimals), v.minValue(0, decimals), v.maxValue(8, decimals)),
        2,
      ),
    },
    ({ expected, received }) =>
      expected === "never"
        ? message("an object of min, max and decimals", `Take ${received.replaceAll('"', "")} out.`)
        : wanted,
  ),
  refusing(({ min, max, decimals: digits }) => {
    const unit = 10 ** digits;
    // Tolerates the binary error of a decimal such as 10.07 * 100.
    const isEmpty = Math.ceil(min * unit - 1e-6) > Math.floor(max * unit + 1e-6);
    if (min > max) return message("a range whose minimum is not above its maximum", `Write ${max}..${min}:${digits}.`);
    if (max * unit > Number.MAX_SAFE_INTEGER)
      return message("a range whose amounts survive as IEEE doubles", "Lower the maximum or take fewer decimals.");
    return isEmpty ? message(`a range with an amount of ${digits} decimals in it`, "Allow more decimals.") : undefined;
  }),
);

const shape = /^\s*(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)(?::(\d+))?\s*$/;

/** The amounts that are valid on the target: `10..1000:2`, in the file `{ min, max, decimals }`. */
export const amount: Kind<AmountRange, string | v.InferInput<typeof range>> = {
  schema: textOr(
    v.pipe(
      v.string(),
      v.regex(shape, wanted),
      v.transform((text): v.InferInput<typeof range> => {
        const [, min, max, digits = "2"] = shape.exec(text) ?? [];
        return { min: Number(min), max: Number(max), decimals: Number(digits) };
      }),
      range,
    ),
    range,
  ),
};
