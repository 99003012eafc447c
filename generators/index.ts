import type * as fc from "fast-check";
import type { ContractDocument } from "../spec/contract.ts";
import type { Json } from "../spec/json.ts";
import type { OperationName } from "../spec/operations.ts";
import { arbitraryOf } from "./arbitrary.ts";
import type { Domain } from "./sources.ts";
import { requestSchemaOf } from "./pointer.ts";

export interface BodyOptions {
  /**
   * The largest amount of an ACAM item, which is the amount of its operation. @defaultValue the
   * smallest valid amount
   */
  readonly amountAtMost?: number;
}

/**
 * The bodies that can be sent to a target. All functions throw GeneratorError for operations
 * without a body (createToken, listBatches).
 */
export interface Generators {
  /** Valid bodies, with optional members present or absent at random. */
  readonly valid: (operation: OperationName, options?: BodyOptions) => fc.Arbitrary<Json>;
  /**
   * Valid bodies with every optional member that fits the others: a country without IBANs gets no
   * IBAN.
   */
  readonly complete: (operation: OperationName, options?: BodyOptions) => fc.Arbitrary<Json>;
}

/**
 * Makes the generators for a target whose valid values `domain` states. They throw GeneratorError
 * if the contract has a schema for which no source of values is known.
 */
export function createGenerators(document: ContractDocument, domain: Domain): Generators {
  const bodies = (complete: boolean) => {
    const made = (operation: OperationName, options?: BodyOptions): fc.Arbitrary<Json> =>
      arbitraryOf(document, requestSchemaOf(document, operation), { domain, complete, ...options });
    const usual = new Map<OperationName, fc.Arbitrary<Json>>();
    return (operation: OperationName, options?: BodyOptions): fc.Arbitrary<Json> => {
      const arbitrary =
        (options === undefined ? usual.get(operation) : undefined) ?? made(operation, options);
      if (options === undefined) usual.set(operation, arbitrary);
      return arbitrary;
    };
  };
  return { valid: bodies(false), complete: bodies(true) };
}

export type { Domain } from "./sources.ts";
export { GeneratorError } from "./pointer.ts";
export { malformedTextsOf, oddTexts, type OddText, jsonSpellings } from "./odd-texts.ts";
export { drawnFrom, type Drawn, type Pool, sampleOf, samplesOf } from "./pool.ts";
export { stamp } from "./stamp.ts";
export { stratifiedAmounts } from "./amounts.ts";
