import type * as fc from "fast-check";
import type { ContractDocument, Json } from "../spec/contract.ts";
import type { OperationName } from "../spec/operations.ts";
import { arbitraryOf } from "./arbitrary.ts";
import { assertSatisfiable, type Domain } from "./domain.ts";
import { membersOf, mutators, optionalOmission, type Mutation, type Mutator } from "./mutations/index.ts";
import { requestSchemaOf } from "./request-schema.ts";

/** Options for the bodies of one arbitrary. */
export interface BodyOptions {
  /** The largest amount of an ACAM item: the amount of its operation. @defaultValue the smallest valid amount */
  readonly amountAtMost?: number;
}

/** Bodies to send to a target. All throw GeneratorError for operations without a body (createToken, listBatches). */
export interface Generators {
  /** Valid bodies, with optional members present or absent at random. */
  readonly valid: (operation: OperationName, options?: BodyOptions) => fc.Arbitrary<Json>;
  /** Valid bodies with every optional member that fits the others: no IBAN in a country without IBANs. */
  readonly complete: (operation: OperationName, options?: BodyOptions) => fc.Arbitrary<Json>;
  /** Every change to a complete body that leaves out a required member or gives one member a wrong type. */
  readonly mutations: (operation: OperationName) => readonly Mutation[];
  /** Omissions of the members that the specification does not call required. None of them breaks a rule. */
  readonly omissions: (operation: OperationName) => readonly Mutation[];
}

/**
 * Generators for the request bodies of a bundled contract, with the values that are valid on the target.
 * Throws GeneratorError for a domain without valid values. The generators throw it for an unsupported schema.
 */
export function createGenerators(document: ContractDocument, domain: Domain): Generators {
  assertSatisfiable(domain);
  const bodies = (complete: boolean) => {
    const made = (operation: OperationName, options?: BodyOptions): fc.Arbitrary<Json> =>
      arbitraryOf(document, requestSchemaOf(document, operation), { domain, complete, ...options });
    const usual = new Map<OperationName, fc.Arbitrary<Json>>();
    return (operation: OperationName, options?: BodyOptions): fc.Arbitrary<Json> => {
      const arbitrary = (options === undefined ? usual.get(operation) : undefined) ?? made(operation, options);
      if (options === undefined) usual.set(operation, arbitrary);
      return arbitrary;
    };
  };
  const changes = (using: readonly Mutator[]) => (operation: OperationName) =>
    membersOf(document, requestSchemaOf(document, operation)).flatMap((member) =>
      using.flatMap((make) => make(member)),
    );
  return {
    valid: bodies(false),
    complete: bodies(true),
    mutations: changes(mutators),
    omissions: changes([optionalOmission]),
  };
}

export type { Json } from "../spec/contract.ts";
export type { Domain } from "./domain.ts";
export { GeneratorError } from "./error.ts";
export { malformedTextsOf } from "./malformed-texts.ts";
export type { Mutation } from "./mutations/index.ts";
export { nonObjectBodies } from "./non-object-bodies.ts";
export { oddTexts, type OddText } from "./odd-texts.ts";
export { drawnFrom, type Drawn, type Pool } from "./pool.ts";
export { sampleOf } from "./sample.ts";
export { jsonSpellings, type JsonSpelling } from "./spellings.ts";
export { stamp } from "./stamp.ts";
export { samplesOf, type Sample } from "./samples.ts";
export { stratifiedAmounts } from "./strata.ts";
