import { runInNewContext } from "node:vm";

/** Milliseconds for one pattern and one value: a hostile pattern can take years. */
const patternTime = 200;

/** A pattern with the flag `u`, or without it where it only compiles so. What takes too long counts as a match, and is never blamed. */
export function boundedPattern(source: string) {
  const flags = ["u", ""].find((each) => isPattern(source, each)) ?? "";
  return {
    // Ajv keeps one pattern for each text.
    toString: () => source,
    test: (value: string): boolean => {
      try {
        const code = "new RegExp(source, flags).test(value)";
        return runInNewContext(code, { source, flags, value }, { timeout: patternTime }) === true;
      } catch {
        return true;
      }
    },
  } as RegExp;
}

/** Whether a pattern compiles with these flags. */
export function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).flags === flags;
  } catch {
    return false;
  }
}
