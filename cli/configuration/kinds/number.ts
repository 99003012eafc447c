import { Misfit, type Kind } from "./kind.ts";

/** The values that a number may have, both ends included. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** A whole number in a range. */
export const wholeNumber = (range: NumberRange): Kind<number> => numberKind(range, "a whole number", Number.isInteger);

/** A number in a range; fractions are allowed. */
export const number = (range: NumberRange): Kind<number> => numberKind(range, "a number", Number.isFinite);

function numberKind({ min, max }: NumberRange, noun: string, fits: (value: number) => boolean): Kind<number> {
  const checked = (value: unknown): number => {
    if (typeof value === "number" && fits(value) && value >= min && value <= max) return value;
    throw new Misfit(`${noun} from ${min} to ${max}`);
  };
  return {
    ofText: (word) => checked(/^-?\d+(\.\d+)?$/.test(word.trim()) ? Number(word) : word),
    ofFile: checked,
    schema: { type: noun === "a number" ? "number" : "integer", minimum: min, maximum: max },
    toText: String,
    toFile: (value) => value,
  };
}
