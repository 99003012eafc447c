import * as fc from "fast-check";
import type { Schema } from "../../spec/contract.ts";
import { GeneratorError } from "../error.ts";
import type { Keyword } from "./keyword.ts";

/** `type: number` or `integer` with `minimum`, `maximum` and their exclusive forms. Integers are safe integers. */
export const range: Keyword = {
  decides: (schema) => schema.type === "number" || schema.type === "integer",
  reads: ["type", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  arbitraryOf: (schema, { pointer }) => {
    if (schema.format !== undefined && schema.format !== "double")
      throw new GeneratorError(`${pointer}/format`, `${JSON.stringify(schema.format)} is not known for numbers`);
    const bound = boundIn(schema, pointer);
    const bounds = schema.type === "integer" ? integerBounds(bound) : numberBounds(bound);
    if (bounds.min > bounds.max) throw new GeneratorError(pointer, "has no number within its bounds");
    const inside = schema.type === "integer" ? fc.integer(bounds) : fc.double({ ...bounds, noNaN: true });
    const either = fc.constantFrom(bounds.min, bounds.max);
    // Adding 0 turns -0 into 0: JSON has both, but few parsers keep the sign.
    return fc.oneof({ weight: 9, arbitrary: inside }, { weight: 1, arbitrary: either }).map((x) => x + 0);
  },
};

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const integerBounds = (bound: Bound): Bounds => ({
  min: Math.max(
    Math.ceil(bound("minimum", Number.MIN_SAFE_INTEGER)),
    Math.floor(bound("exclusiveMinimum", Number.MIN_SAFE_INTEGER - 1)) + 1,
  ),
  max: Math.min(
    Math.floor(bound("maximum", Number.MAX_SAFE_INTEGER)),
    Math.ceil(bound("exclusiveMaximum", Number.MAX_SAFE_INTEGER + 1)) - 1,
  ),
});

const numberBounds = (bound: Bound): Bounds => ({
  min: Math.max(bound("minimum", -Number.MAX_VALUE), neighbour(bound("exclusiveMinimum", -Infinity), 1)),
  max: Math.min(bound("maximum", Number.MAX_VALUE), neighbour(bound("exclusiveMaximum", Infinity), -1)),
});

/** The value of a keyword, or `otherwise` if the schema does not have it. */
type Bound = (keyword: string, otherwise: number) => number;

const boundIn =
  (schema: Schema, pointer: string): Bound =>
  (keyword, otherwise) => {
    const bound = schema[keyword] ?? otherwise;
    if (typeof bound !== "number") throw new GeneratorError(`${pointer}/${keyword}`, "is not a number");
    return bound;
  };

/** The next double above `x` for direction 1, below it for -1. */
function neighbour(x: number, direction: 1 | -1): number {
  if (!Number.isFinite(x)) return x;
  if (x === 0) return direction * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(x > 0 ? direction : -direction));
  return view.getFloat64(0);
}
