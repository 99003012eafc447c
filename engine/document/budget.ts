import { performance } from "node:perf_hooks";
import { InputError } from "../../model/files.ts";
import { isMatchInTime } from "./patterns.ts";

/**
 * The most that reading and judging one document may cost. The documents of real services need far
 * less.
 */
export const limits = {
  /** The size of the document and of all files that it refers to, taken together. */
  bytes: 3_000_000,
  files: 200,
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
  readonly takeTime: () => void;
  /** Begins to count the schemas of a body. */
  readonly startBody: () => void;
  readonly takeSchemas: (count: number) => void;
  /** Whether a pattern matches a value. Undefined if that takes too long. */
  readonly matches: (source: string, value: string) => boolean | undefined;
}

/** A budget for one document. `name`: what errors call the document. */
export function createBudget(name: string): Budget {
  const ends = performance.now() + limits.milliseconds;
  let files = 0;
  let bytes = 0;
  let schemas = 0;
  let slow = 0;
  const takeTime = (): void => {
    if (performance.now() > ends) throw tooSlow(name);
  };
  return {
    matches(source, value) {
      takeTime();
      const isMatch = slow < limits.slowPatterns ? isMatchInTime(source, value) : undefined;
      if (isMatch === undefined) slow += 1;
      return isMatch;
    },
    startBody() {
      schemas = 0;
    },
    takeSchemas(count) {
      schemas += count;
      if (schemas > limits.schemas) throw tooManySchemas(name);
      takeTime();
    },
    takeFile(size) {
      files += 1;
      bytes += size;
      if (bytes > limits.bytes) throw tooLarge(name);
      if (files > limits.files)
        throw new InputError(name, `refers to more than ${limits.files} files. Join some of them`);
    },
    takeTime,
  };
}

export function tooSlow(name: string): InputError {
  return new InputError(
    name,
    `takes longer than ${limits.milliseconds / 1000} s. Leave out what the six operations do not need`,
  );
}

export function tooLarge(name: string): InputError {
  return new InputError(
    name,
    `is larger than ${limits.bytes / 1_000_000} MB, with the files that it refers to. ` +
      "Leave out what the six operations do not need",
  );
}

function tooManySchemas(name: string): InputError {
  return new InputError(
    name,
    `holds a body of more than ${limits.schemas.toLocaleString("en-US")} schemas, once references are followed. ` +
      "Look for schemas that repeat each other in allOf, anyOf or oneOf",
  );
}
