import { performance } from "node:perf_hooks";
import { createContext, Script } from "node:vm";
import { InputError } from "../../model/files.ts";

/**
 * The most that reading and judging one document may cost. The documents of real services need far
 * less.
 */
export const limits = {
  /** The size of the document and of all files that it refers to, taken together. */
  bytes: 3_000_000,
  /** How deeply lists and objects may be nested. */
  levels: 200,
  /**
   * The number of schemas in one body, counted as if each reference were replaced by its schema.
   */
  schemas: 20_000,
  milliseconds: 20_000,
  /** After so many patterns that took too long, no further one is tested. */
  slowPatterns: 5,
} as const;

/** Counts what a document costs. Each function throws InputError once its limit is passed. */
export interface Budget {
  readonly takeFile: (bytes: number) => void;
  /** Begins to count the schemas of a body. */
  readonly startBody: () => void;
  readonly takeSchemas: (count: number) => void;
  /** Whether a pattern matches a value. Undefined if that takes too long. */
  readonly matches: (source: string, value: string) => boolean | undefined;
}

/** A budget for one document. `name`: what errors call the document. */
export function createBudget(name: string): Budget {
  const ends = performance.now() + limits.milliseconds;
  let bytes = 0;
  let schemas = 0;
  let slow = 0;
  const takeSchemas = (count: number): void => {
    schemas += count;
    if (schemas > limits.schemas)
      throw new InputError(
        name,
        `holds a body of more than ${limits.schemas.toLocaleString("en-US")} schemas, once references are followed. ` +
          "Look for schemas that repeat each other in allOf, anyOf or oneOf",
      );
    if (performance.now() > ends)
      throw new InputError(name, `takes longer than ${limits.milliseconds / 1000} s. ${advice}`);
  };
  return {
    matches(source, value) {
      takeSchemas(0);
      if (slow >= limits.slowPatterns) return undefined;
      const from = performance.now();
      const isMatch = isMatchInTime(source, value);
      if (performance.now() - from >= patternTime) slow += 1;
      return isMatch;
    },
    startBody() {
      schemas = 0;
    },
    takeSchemas,
    takeFile(size) {
      bytes += size;
      if (bytes > limits.bytes) throw tooLarge(name);
      takeSchemas(0);
    },
  };
}

export function tooLarge(name: string): InputError {
  return new InputError(
    name,
    `is larger than ${limits.bytes / 1_000_000} MB, with the files that it refers to. ${advice}`,
  );
}

const advice = "Leave out what the six operations do not need";

/**
 * How long one pattern may be tested on one value, in milliseconds. A hostile pattern can take
 * years. What takes longer is not judged, so that a slow machine never turns a contradiction into a
 * pass.
 */
const patternTime = 1000;

const script = new Script("new RegExp(source, flags).test(value)");

/** One context for all tests, because making one takes longer than most tests. */
const inputs: Record<string, string | undefined> = {};
const context = createContext(inputs);

/** Whether a pattern matches a value. Undefined if that takes too long, or if it is no pattern here. */
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
