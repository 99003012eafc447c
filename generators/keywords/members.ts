import * as fc from "fast-check";
import type { Json, Schema } from "../../spec/contract.ts";
import { GeneratorError } from "../error.ts";
import { placeArbitrary } from "../places/place.ts";
import { countriesWith, readingOf, type Reading } from "./placed.ts";
import type { Keyword, Spot } from "./keyword.ts";

/**
 * `type: object` with `properties`, `required` and `x-fxconform-usual`. Members such as country, city and IBAN get
 * their values from one place (`Place`), which is drawn for the object, so that they agree. Each other member is drawn
 * by itself. Optional members are present or absent at random; a complete body has all that the place has a value for.
 */
export const members: Keyword = {
  decides: (schema) => schema.type === "object",
  reads: ["type", "properties", "required", "x-fxconform-usual"],
  arbitraryOf: (schema, spot) => {
    const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
    const constant = new Set([...namesIn(schema, "required", spot), ...namesIn(schema, "x-fxconform-usual", spot)]);
    const readings = properties.flatMap(([name, one]) => {
      const reading = readingOf(one);
      return reading ? [{ name, reading }] : [];
    });
    const drawn = properties.filter(([name]) => !readings.some((one) => one.name === name));
    const optional = properties.map(([name]) => name).filter((name) => !constant.has(name));
    return fc
      .record({
        place: placeFor(readings, constant, spot),
        values: fc.record(Object.fromEntries(drawn.map(([name, one]) => [name, spot.below(one, "properties", name)]))),
        present: fc.record(Object.fromEntries(optional.map((name) => [name, presence(spot)]))),
      })
      .map(({ place, values, present }) => {
        const read = Object.fromEntries(readings.map(({ name, reading }) => [name, place && reading(place)]));
        const possible: Readonly<Record<string, Json | undefined>> = { ...values, ...read };
        return pick(
          properties.map(([name]) => name),
          (name) => (constant.has(name) || present[name] ? possible[name] : undefined),
        );
      });
  },
};

const presence = (spot: Spot): fc.Arbitrary<boolean> => (spot.complete ? fc.constant(true) : fc.boolean());

/** The names that a keyword lists. Throws GeneratorError if one is not among the properties. */
function namesIn(schema: Schema, keyword: string, { pointer }: Spot): readonly string[] {
  const names = (schema[keyword] ?? []) as readonly string[];
  names.forEach((name, index) => {
    if (!Object.hasOwn((schema.properties ?? {}) as Schema, name))
      throw new GeneratorError(`${pointer}/${keyword}/${index}`, `${name} is not among the properties`);
  });
  return names;
}

/** A place with values for all constant members; for a complete body, with values for as many members as possible. */
function placeFor(
  readings: readonly { readonly name: string; readonly reading: Reading }[],
  constant: ReadonlySet<string>,
  { pointer, complete }: Spot,
) {
  if (readings.length === 0) return fc.constant(undefined);
  const needed = readings.filter(({ name }) => constant.has(name)).map(({ reading }) => reading);
  const possible = countriesWith(needed);
  if (possible.length === 0) throw new GeneratorError(pointer, "no place has all required members");
  if (!complete) return placeArbitrary(possible);
  const supplied = readings.map(({ reading }) => new Set(countriesWith([reading])));
  const richness = possible.map((country) => supplied.filter((having) => having.has(country)).length);
  return placeArbitrary(possible.filter((_, at) => richness[at] === Math.max(...richness)));
}

/** An object with the members that have a value, in the order of `names`. */
function pick(names: readonly string[], valueOf: (name: string) => Json | undefined): Json {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOf(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
