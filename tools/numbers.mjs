import { InvalidArgumentError } from "commander";

/** The median. Of two numbers in the middle, the greater; 0 if there are no numbers. */
export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Reads the value of an option that takes a whole number above 0. */
export function wholeNumber(text) {
  if (!/^[1-9]\d*$/.test(text))
    throw new InvalidArgumentError("It needs a whole number of at least 1.");
  return Number(text);
}
