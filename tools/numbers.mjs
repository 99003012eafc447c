import { InvalidArgumentError } from "commander";

/**
 * Returns the median: of two numbers in the middle the greater one, and 0 if there are no numbers.
 */
export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Reads the value of an option that takes a whole number above 0. Throws for any other text. */
export function wholeNumber(text) {
  if (!/^[1-9]\d*$/.test(text))
    throw new InvalidArgumentError("It needs a whole number of at least 1.");
  return Number(text);
}
