import * as v from "valibot";
import type { AmountRange } from "../../model/target.ts";
import { message, textOr, type Kind } from "./kind.ts";

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
  v.check(
    ({ min, max }) => min <= max,
    ({ input }) =>
      message("a range whose minimum is not above its maximum", `Write ${input.max}..${input.min}:${input.decimals}.`),
  ),
  v.check(
    ({ max, decimals: digits }) => max * 10 ** digits <= Number.MAX_SAFE_INTEGER,
    message("a range whose amounts survive as IEEE doubles", "Lower the maximum or take fewer decimals."),
  ),
  v.check(
    ({ min, max, decimals: digits }) => {
      const unit = 10 ** digits;
      // Tolerates the binary error of a decimal such as 10.07 * 100.
      return Math.ceil(min * unit - 1e-6) <= Math.floor(max * unit + 1e-6);
    },
    ({ input }) => message(`a range with an amount of ${input.decimals} decimals in it`, "Allow more decimals."),
  ),
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
