import type { AmountRange } from "../../../model/target.ts";
import { Misfit, type Kind } from "./kind.ts";

const wanted = "a range such as 10..1000:2, that is minimum..maximum:decimals";

/** The amounts that are valid on the target: `10..1000:2`, in the file `{ min, max, decimals }`. */
export const amount: Kind<AmountRange> = {
  ofText,
  ofFile: (value) => {
    if (typeof value === "string") return ofText(value);
    if (typeof value !== "object" || value === null) throw new Misfit(wanted);
    const { min, max, decimals = 2, ...rest } = value as Record<string, unknown>;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw new Misfit("an object of min, max and decimals", `Take ${unknown} out.`);
    if (typeof min !== "number" || typeof max !== "number" || typeof decimals !== "number") throw new Misfit(wanted);
    return checked({ min, max, decimals });
  },
  schema: {
    anyOf: [
      {
        type: "object",
        properties: {
          min: { type: "number", exclusiveMinimum: 0 },
          max: { type: "number", exclusiveMinimum: 0 },
          decimals: { type: "integer", minimum: 0, maximum: 8, default: 2 },
        },
        required: ["min", "max"],
        additionalProperties: false,
      },
      { type: "string", pattern: "^\\s*\\d+(\\.\\d+)?\\.\\.\\d+(\\.\\d+)?(:\\d+)?\\s*$" },
    ],
  },
  toText: ({ min, max, decimals }) => `${plainNumber(min)}..${plainNumber(max)}:${decimals}`,
  toFile: (value) => value,
};

/** Without the exponent that JavaScript gives small numbers: 1.5e-7 is 0.00000015. */
function plainNumber(value: number): string {
  const [digits = "", exponent] = String(value).split("e-");
  return exponent === undefined ? digits : `0.${"0".repeat(Number(exponent) - 1)}${digits.replace(".", "")}`;
}

function ofText(text: string): AmountRange {
  const [, min, max, decimals = "2"] = /^(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)(?::(\d+))?$/.exec(text.trim()) ?? [];
  if (min === undefined || max === undefined) throw new Misfit(wanted);
  return checked({ min: Number(min), max: Number(max), decimals: Number(decimals) });
}

function checked(range: AmountRange): AmountRange {
  const { min, max, decimals } = range;
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 8) throw new Misfit("a range with 0 to 8 decimals");
  if (!(min > 0)) throw new Misfit("a range of amounts above zero");
  if (min > max)
    throw new Misfit("a range whose minimum is not above its maximum", `Write ${max}..${min}:${decimals}.`);
  const unit = 10 ** decimals;
  if (!(max * unit <= Number.MAX_SAFE_INTEGER)) {
    throw new Misfit("a range whose amounts survive as IEEE doubles", "Lower the maximum or take fewer decimals.");
  }
  // Tolerates the binary error of a decimal such as 10.07 * 100.
  const [first, last] = [Math.ceil(min * unit - 1e-6), Math.floor(max * unit + 1e-6)];
  if (first > last) throw new Misfit(`a range with an amount of ${decimals} decimals in it`, "Allow more decimals.");
  return range;
}
