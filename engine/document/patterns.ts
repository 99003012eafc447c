import { runInNewContext } from "node:vm";

/**
 * How long one pattern may be tested on one value, in milliseconds. A hostile pattern can take
 * years.
 */
const patternTime = 200;

/**
 * Returns a pattern with a time limit. It has the flag `u`, unless it only compiles without this
 * flag. A test that takes too long counts as a match, so that no document is blamed for it.
 */
export function boundedPattern(source: string) {
  const flags = ["u", ""].find((each) => isPattern(source, each)) ?? "";
  // The results so far, because the same few values are tested in many bodies.
  const known = new Map<string, boolean>();
  const test = (value: string): boolean => {
    const isMatch = known.get(value) ?? isMatchInTime(source, flags, value);
    known.set(value, isMatch);
    return isMatch;
  };
  // Ajv tells patterns apart by what `toString` returns, so that this must be the source.
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
