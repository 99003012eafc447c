import type * as fc from "fast-check";
import type { Json } from "../spec/contract.ts";
import type { Domain } from "./domain.ts";
import type { Place } from "./places/place.ts";

/** What a generated body depends on. */
export interface Circumstances {
  readonly domain: Domain;
  /** Whether all optional members that agree with the others are present. */
  readonly complete: boolean;
  /** Largest amount of an ACAM item. @defaultValue the smallest valid amount, since every operation has at least that */
  readonly amountAtMost?: number;
}

/** Where valid values come from: the place of the object around them, or an arbitrary of their own. */
export type Source =
  | {
      /** The value in this place; undefined where places of that kind have none. */
      readonly inPlace: (place: Place) => string | undefined;
    }
  | { readonly arbitrary: (circumstances: Circumstances) => fc.Arbitrary<Json> };

/** A named format of strings: how to validate one, and where valid ones come from. */
export interface Format {
  readonly name: string;
  readonly isValid: (text: string) => boolean;
  readonly source: Source;
}
