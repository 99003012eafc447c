import { Misfit, type Kind } from "./kind.ts";
import { wholeNumber, type NumberRange } from "./number.ts";

/** A whole number that may be left out: the flag alone, or `true` elsewhere, is 1. */
export function count(range: NumberRange): Kind<number> {
  const { ofText, ofFile, schema, ...rest } = wholeNumber(range);
  const advised = (read: () => number): number => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      throw new Misfit(error.message, "Leave the option out for no limit.");
    }
  };
  return {
    ...rest,
    ofText: (text) => (text.trim().toLowerCase() === "true" ? 1 : advised(() => ofText(text))),
    ofFile: (value) => (value === true ? 1 : advised(() => ofFile(value))),
    schema: { anyOf: [schema, { const: true }] },
  };
}
