import * as v from "valibot";
import { message, refusing, type Kind } from "./kind.ts";
import type { AmountRange } from "../../spec/amount-range.ts";

/** A number in a range. Both ends are included, and fractions are allowed. */
export function number(min: number, max: number): Kind<number, number> {
  return {
    schema: bounded(min, max, `a number from ${min} to ${max}`),
    fromText: numberIn,
  };
}

/** A whole number in a range. Both ends are included. */
export function wholeNumber(min: number, max: number): Kind<number, number> {
  const text = `a whole number from ${min} to ${max}`;
  return { schema: v.pipe(bounded(min, max, text), v.integer(text)), fromText: numberIn };
}

/** A duration in milliseconds, written as `1500ms`, `10s`, `2m`, or as a number alone. */
export function duration(min: string, max: string): Kind<number, number | string> {
  return measure(
    "a duration",
    min,
    max,
    { "": 1, ms: 1, s: 1_000, m: 60_000 },
    "1500ms, 10s or 2m; a bare number means milliseconds",
  );
}

/** A size in bytes, written as `128MiB`, `1MB`, or as a number alone. */
export function size(min: string, max: string): Kind<number, number | string> {
  return measure("a size", min, max, sizes, "128MiB or 1MB; a bare number means bytes");
}

const sizes = { "": 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

function measure(
  noun: string,
  min: string,
  max: string,
  units: Readonly<Record<string, number>>,
  examples: string,
): Kind<number, number | string> {
  const text = message(`${noun} from ${min} to ${max}`, `Write it like ${examples}.`);
  const valueOf = (word: string): number => {
    const [, digits, unit = ""] = /^([\d.]+)\s*([a-z]*)$/i.exec(word.trim()) ?? [];
    const [, factor = NaN] = Object.entries(units).find(([name]) => sameWord(name, unit)) ?? [];
    return Number(digits) * factor;
  };
  const inRange = bounded(valueOf(min), valueOf(max), text);
  const worded = v.pipe(v.string(), v.regex(/^\s*\d+(?:\.\d+)?\s*(?:[A-Za-z]+\s*)?$/, text));
  return {
    schema: v.pipe(
      v.union([worded, inRange], text),
      v.transform((value) => (typeof value === "string" ? valueOf(value) : value)),
      inRange,
      v.transform(Math.round),
    ),
  };
}

const sameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function bounded(min: number, max: number, text: string) {
  return v.pipe(v.number(text), v.minValue(min, text), v.maxValue(max, text));
}

function numberIn(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}

const wanted =
  "a range such as 10..1000:2, in the configuration file { min: 10, max: 1000, decimals: 2 }";
const positive = v.pipe(v.number(wanted), v.gtValue(0, "a range of amounts above zero"));
const decimals = "a range with 0 to 8 decimals";

const shape = /^\s*(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)(?::(\d+))?\s*$/;

function rangeIn(text: string): unknown {
  const [, min, max, digits = "2"] = shape.exec(text) ?? [];
  if (min === undefined) return text;
  return { min: Number(min), max: Number(max), decimals: Number(digits) };
}

/**
 * The amounts that are valid on the target: `{ min, max, decimals }`, or as a text `10..1000:2`.
 */
export const amount: Kind<
  AmountRange,
  { min: number; max: number; decimals?: number | undefined }
> = {
  fromText: rangeIn,
  schema: v.pipe(
    v.strictObject(
      {
        min: positive,
        max: positive,
        decimals: v.optional(
          v.pipe(
            v.number(wanted),
            v.integer(decimals),
            v.minValue(0, decimals),
            v.maxValue(8, decimals),
          ),
          2,
        ),
      },
      wanted,
    ),
    refusing(rangeProblem),
  ),
};

function rangeProblem({ min, max, decimals: digits }: AmountRange): string | undefined {
  const unit = 10 ** digits;
  // Tolerates the rounding error of a decimal fraction such as 10.07 * 100.
  const isEmpty = Math.ceil(min * unit - 1e-6) > Math.floor(max * unit + 1e-6);
  if (min > max)
    return message("a range whose minimum is not above its maximum", "Exchange the two.");
  if (max * unit > Number.MAX_SAFE_INTEGER) {
    const advice = "Lower the maximum or take fewer decimals.";
    return message("a range whose amounts survive as IEEE doubles", advice);
  }
  return isEmpty
    ? message(`a range with an amount of ${digits} decimals in it`, "Allow more decimals.")
    : undefined;
}
