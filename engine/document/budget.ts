import { performance } from "node:perf_hooks";
import { InputError } from "../../model/files.ts";
import { isMatchInTime, patternTime } from "./patterns.ts";

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
