import { createContext, Script } from "node:vm";

/**
 * How long one pattern may be tested on one value, in milliseconds. A hostile pattern can take
 * years. What takes longer is not judged, so that a slow machine never turns a contradiction into a
 * pass.
 */
const patternTime = 1000;

/** After so many patterns that took too long, no further one is tested. */
const mostSlow = 5;

export type Patterns = ReturnType<typeof createPatterns>;

/** Tests the patterns of a document, each once on a value. `takeTime` is called before each test. */
export function createPatterns(takeTime: () => void) {
  const known = new Map<string, boolean>();
  const slow = new Set<string>();
  return {
    /** Whether a pattern matches a value. Undefined if that takes too long. */
    matches(source: string, value: string): boolean | undefined {
      const key = JSON.stringify([source, value]);
      if (known.has(key)) return known.get(key);
      if (slow.has(source) || slow.size >= mostSlow) return undefined;
      takeTime();
      const isMatch = isMatchInTime(source, value);
      if (isMatch === undefined) slow.add(source);
      else known.set(key, isMatch);
      return isMatch;
    },
  };
}

const script = new Script("new RegExp(source, flags).test(value)");

/** One context for all tests, because making one takes longer than most tests. */
const inputs: Record<string, string | undefined> = {};
const context = createContext(inputs);

function isMatchInTime(source: string, value: string): boolean | undefined {
  Object.assign(inputs, { source, value, flags: flagsOf(source) });
  try {
    return script.runInContext(context, { timeout: patternTime }) === true;
  } catch {
    return undefined;
  }
}

/** The flags with which a pattern compiles: `u`, unless it only compiles without. */
function flagsOf(source: string): string | undefined {
  return ["u", ""].find((flags) => {
    try {
      return new RegExp(source, flags).flags === flags;
    } catch {
      return false;
    }
  });
}

/** Whether a text is a pattern at all. */
export const isPattern = (source: string): boolean => flagsOf(source) !== undefined;
