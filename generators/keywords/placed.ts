import type * as fc from "fast-check";
import type { Json, Schema } from "../../spec/contract.ts";
import { formats } from "../formats/index.ts";
import { isMeaning, meanings } from "../meanings/index.ts";
import { countries, type Country } from "../places/countries.ts";
import { placeArbitrary, placeIn, type Place } from "../places/place.ts";
import { sampleOf } from "../sample.ts";
import type { Circumstances, Source } from "../source.ts";

/** Gives a value of a place. */
export type Reading = (place: Place) => string | undefined;

/** How to get values of this schema from the place of the object around them; undefined where they do not come from it. */
export function readingOf(schema: Schema): Reading | undefined {
  const word = schema["x-fxconform-domain"];
  const source = isMeaning(word) ? meanings[word] : formats.find((one) => one.name === schema.format)?.source;
  return source && "inPlace" in source ? source.inPlace : undefined;
}

/** Countries in which every reading gives a value. */
export const countriesWith = (readings: readonly Reading[]): readonly Country[] =>
  examples
    .filter(({ place }) => readings.every((reading) => reading(place) !== undefined))
    .map(({ country }) => country);

/** One place in each country. All places of a country have values for the same members. */
const examples = countries.flatMap((country) =>
  sampleOf(placeIn(country), { seed: 0, n: 1 }).map((place) => ({ country, place })),
);

/** Values of a source on their own, without an object around them. */
export function arbitraryFrom(source: Source, circumstances: Circumstances): fc.Arbitrary<Json> {
  if ("arbitrary" in source) return source.arbitrary(circumstances);
  const { inPlace } = source;
  return placeArbitrary(countriesWith([inPlace])).map((place) => inPlace(place) ?? "");
}
