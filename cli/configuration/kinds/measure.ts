import { anyCase, Misfit, type Kind } from "./kind.ts";

/** A number with an optional unit, as durations and sizes are. */
export interface Measure {
  /** `a duration`. */
  readonly noun: string;
  /** Factor of each unit, by its spelling. */
  readonly units: Readonly<Record<string, number>>;
  /** In the base unit, both ends included. */
  readonly min: number;
  readonly max: number;
  /** Some good spellings. */
  readonly examples: string;
  /** The shortest spelling of a value. */
  readonly toText: (value: number) => string;
}

/** The kind of a measure. A bare number is in the base unit. */
export function measure({ noun, units, min, max, examples, toText }: Measure): Kind<number> {
  const wanted = `${noun} from ${toText(min)} to ${toText(max)}`;
  const pattern = new RegExp(`^(\\d+(?:\\.\\d+)?)\\s*(${Object.keys(units).join("|")})?$`, "i");
  const checked = (value: number): number => {
    if (Number.isFinite(value) && value >= min && value <= max) return Math.round(value);
    throw new Misfit(wanted, `Write it like ${examples}.`);
  };
  const ofText = (word: string): number => {
    const [, digits, unit] = pattern.exec(word.trim()) ?? [];
    if (digits === undefined) return checked(Number.NaN);
    const factor = Object.entries(units).find(([name]) => name.toLowerCase() === unit?.toLowerCase())?.[1];
    return checked(Number(digits) * (factor ?? 1));
  };
  return {
    ofText,
    ofFile: (value) => (typeof value === "string" ? ofText(value) : checked(typeof value === "number" ? value : NaN)),
    schema: {
      anyOf: [
        { type: "number", minimum: min, maximum: max },
        { type: "string", pattern: `^\\s*\\d+(\\.\\d+)?\\s*(${Object.keys(units).map(anyCase).join("|")})?\\s*$` },
      ],
    },
    toText,
  };
}
