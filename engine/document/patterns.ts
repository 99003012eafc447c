import { runInNewContext } from "node:vm";

/** Milliseconds for one pattern and one value: a hostile pattern can take years. */
const patternTime = 200;

/**
 * A pattern with the flag `u`, or without it where it only compiles so. What takes too long counts
 * as a match, and is never blamed.
 */
export function boundedPattern(source: string) {
  const flags = ["u", ""].find((each) => isPattern(source, each)) ?? "";
  // The same few values are tested in many bodies.
  const known = new Map<string, boolean>();
  const test = (value: string): boolean => {
    const isMatch = known.get(value) ?? isMatchInTime(source, flags, value);
    known.set(value, isMatch);
    return isMatch;
  };
  // Ajv keeps one pattern for each text.
  return { toString: () => source, test } as RegExp;
}

function isMatchInTime(source: string, flags: string, value: string): boolean {
  try {
    const code = "new RegExp(source, flags).test(value)";
    return runInNewContext(code, { source, flags, value }, { timeout: patternTime }) === true;
  } catch {
    return true;
  }
}

/** Whether a pattern compiles with these flags. */
export function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).flags === flags;
  } catch {
    return false;
  }
}
