import type * as fc from "fast-check";
import type { Json } from "../spec/contract.ts";
import type { Domain } from "./domain.ts";
import type { Place } from "./places/place.ts";

/** What the drawing of a body may depend on. */
export interface Circumstances {
  readonly domain: Domain;
  /** All optional members that agree with the rest are present. */
  readonly complete: boolean;
  /** Largest amount of an ACAM item. @defaultValue the smallest valid amount, which no operation is below */
  readonly amountAtMost?: number;
}

/** Where valid values come from: read off the object's place, or drawn by themselves. */
export type Source =
  | {
      /** What it is in this place; undefined where places of that kind have none. */
      readonly inPlace: (place: Place) => string | undefined;
    }
  | { readonly arbitrary: (circumstances: Circumstances) => fc.Arbitrary<Json> };

/** A named format of strings: who accepts it, where valid ones come from, and one that it refuses. */
export interface Format {
  readonly name: string;
  readonly isValid: (text: string) => boolean;
  readonly source: Source;
}
