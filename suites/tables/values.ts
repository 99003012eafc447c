import type { Json } from "../../spec/json.ts";
import { asPlainText, derived, type Change, type Value } from "../kit/index.ts";

/** Returns a change for each value, which puts the value at the place. */
export function at(place: string, values: readonly Value[]): readonly Change[] {
  return values.map((value) => ({ with: { [place]: value } }));
}

/** Digits of the last bytes of a unique text, at most so many. */
export function digitsOf(right: Json, most: number): string {
  const bytes = Buffer.from(asPlainText(right)).toString("hex");
  return BigInt(`0x${bytes}`).toString().slice(-most);
}

export const asText = derived("the right value as a string", asPlainText);
/**
 * The right value as a number if it is written in up to 15 digits, the first of them not zero;
 * otherwise 12345.
 */
export const asNumber = derived("the right value as a number", (right) =>
  /^[1-9]\d{0,14}$/.test(asPlainText(right)) ? Number(right) : 12345,
);
export const inObject = derived("the right value in an object", (value) => ({ value }));
export const inArray = derived("the right value in an array", (value) => [value]);
export const asReference = derived("the right value as a reference", (id) => ({ id }));
/** The two halves of a text, such as the two codes of a pair. */
export const halved = derived("the two halves of the right value in an array", (right) => {
  const text = asPlainText(right);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
});
/** A value that document databases read as a condition which every value meets. */
export const operator = { $gt: "" };
