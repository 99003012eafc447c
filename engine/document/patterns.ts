import { createContext, Script } from "node:vm";

/**
 * How long one pattern may be tested on one value, in milliseconds. A hostile pattern can take
 * years. What takes longer is not judged, so that a slow machine never turns a contradiction into a
 * pass.
 */
export const patternTime = 1000;

const script = new Script("new RegExp(source, flags).test(value)");

/** One context for all tests, because making one takes longer than most tests. */
const inputs: Record<string, string | undefined> = {};
const context = createContext(inputs);

/** Whether a pattern matches a value. Undefined if that takes too long, or if it is no pattern here. */
export function isMatchInTime(source: string, value: string): boolean | undefined {
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
