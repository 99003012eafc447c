import { setImmediate as nextTurn } from "node:timers/promises";
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

/**
 * What is known of the patterns of a document. Judging only looks up here, and never waits: it is
 * done again after `testWanted` has tested what it had to leave open. `takeTime` is called before
 * each test.
 */
export function createPatterns(takeTime: () => void) {
  const known = new Map<string, boolean>();
  const slow = new Set<string>();
  const wanted = new Map<string, readonly [source: string, value: string]>();
  const isOpen = (source: string): boolean => slow.has(source) || slow.size >= mostSlow;
  return {
    /** Whether a pattern matches a value. Undefined if that is not known, or takes too long. */
    matches(source: string, value: string): boolean | undefined {
      const key = JSON.stringify([source, value]);
      if (!known.has(key) && !isOpen(source)) wanted.set(key, [source, value]);
      return known.get(key);
    },
    /** Tests what was asked for, and returns whether there was anything. Signals are heard. */
    async testWanted(): Promise<boolean> {
      const asked = [...wanted];
      wanted.clear();
      for (const [key, [source, value]] of asked) {
        if (isOpen(source)) continue;
        await nextTurn();
        takeTime();
        const isMatch = isMatchInTime(source, value);
        if (isMatch === undefined) slow.add(source);
        else known.set(key, isMatch);
      }
      return asked.length > 0;
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
