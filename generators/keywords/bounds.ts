import type { Schema } from "../../spec/contract.ts";
import { GeneratorError } from "../error.ts";

/** The range of a count from two keywords, such as `minItems` and `maxItems`. @defaultValue 0, and `reach` above it */
export function boundsOf(
  schema: Schema,
  { pointer }: { readonly pointer: string },
  least: string,
  most: string,
  reach: number,
): readonly [number, number] {
  const min = countIn(schema, pointer, least) ?? 0;
  const max = countIn(schema, pointer, most) ?? min + reach;
  if (min > max) throw new GeneratorError(`${pointer}/${least}`, `${min} is above ${most} ${max}`);
  return [min, max];
}

function countIn(schema: Schema, pointer: string, keyword: string): number | undefined {
  const count = schema[keyword];
  if (count === undefined) return undefined;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0)
    throw new GeneratorError(`${pointer}/${keyword}`, "is not a count");
  return count;
}
