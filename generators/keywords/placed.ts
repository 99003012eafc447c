import type * as fc from "fast-check";
import type { Json, Schema } from "../../spec/contract.ts";
import { formats } from "../formats/index.ts";
import { isMeaning, meanings } from "../meanings/index.ts";
import { countries, type Country } from "../places/countries.ts";
import { placeArbitrary, placeIn, type Place } from "../places/place.ts";
import { sampleOf } from "../sample.ts";
import type { Circumstances, Source } from "../source.ts";

/** Reads a value from a place; undefined if the place has none, such as an IBAN. */
export type Reading = (place: Place) => string | undefined;

/** Reads values of this schema from the place of the object; undefined if they do not come from a place. */
export function readingOf(schema: Schema): Reading | undefined {
  const word = schema["x-fxconform-domain"];
  const source = isMeaning(word) ? meanings[word] : formats.find((one) => one.name === schema.format)?.source;
  return source && "inPlace" in source ? source.inPlace : undefined;
}

/** The countries whose places have a value for every reading. */
export const countriesWith = (readings: readonly Reading[]): readonly Country[] =>
  examples
    .filter(({ place }) => readings.every((reading) => reading(place) !== undefined))
    .map(({ country }) => country);

/** One place in each country. It stands for all, because places of a country have values for the same members. */
const examples = countries.flatMap((country) =>
  sampleOf(placeIn(country), { seed: 0, n: 1 }).map((place) => ({ country, place })),
);

/** The arbitrary of a source for a value that is not a member of an object with a place. */
export function arbitraryFrom(source: Source, circumstances: Circumstances): fc.Arbitrary<Json> {
  if ("arbitrary" in source) return source.arbitrary(circumstances);
  const { inPlace } = source;
  return placeArbitrary(countriesWith([inPlace])).map((place) => inPlace(place) ?? "");
}
