import type * as fc from "fast-check";
import type { Json } from "../spec/contract.ts";
import type { Domain } from "./domain.ts";
import type { Place } from "./places/place.ts";

/** What a generated body depends on. */
export interface Circumstances {
  readonly domain: Domain;
  /** Whether all optional members that fit the others are present. */
  readonly complete: boolean;
  /** The largest amount of an ACAM item. @defaultValue the smallest valid amount, which no operation is below */
  readonly amountAtMost?: number;
}

/** Where valid values come from: the place of the object that contains them, or their own arbitrary. */
export type Source =
  | {
      /** The value that a place has; undefined if it has none, such as an IBAN in the United States. */
      readonly inPlace: (place: Place) => string | undefined;
    }
  | { readonly arbitrary: (circumstances: Circumstances) => fc.Arbitrary<Json> };

/** A string format: its name in `format`, how to validate a text, and where valid texts come from. */
export interface Format {
  readonly name: string;
  readonly isValid: (text: string) => boolean;
  readonly source: Source;
}
