import * as fc from "fast-check";
import { escaped, type Json } from "../spec/json.ts";
import type { Schema } from "../spec/contract.ts";
import { countries, placeArbitrary, type Country } from "./places.ts";
import { GeneratorError, schemaAt } from "./pointer.ts";
import {
  sourceOf,
  type PlaceSource,
  type ValueCircumstances,
  type ValueSource,
} from "./sources.ts";

/**
 * Draws values that satisfy a schema of the contract. Throws GeneratorError for a schema without a
 * known source of values.
 */
export function arbitraryOf(
  document: unknown,
  reference: string,
  circumstances: ValueCircumstances,
): fc.Arbitrary<Json> {
  const valuesOf = (schema: Schema, pointer: string): fc.Arbitrary<Json> => {
    if (typeof schema.$ref === "string")
      return valuesOf(schemaAt(document, schema.$ref), schema.$ref);
    if (schema.type === "object")
      return membersOf(schema, pointer, circumstances, (name, inner) =>
        valuesOf(inner, `${pointer}/properties/${escaped(name)}`),
      );
    const source = sourceOf(schema);
    if (source === undefined)
      throw new GeneratorError(pointer, "has no meaning and no format with a known source");
    return arbitraryFrom(source, circumstances);
  };
  return valuesOf(schemaAt(document, reference), reference);
}

/**
 * Draws the members of an object. Members such as city and IBAN come from one place (`Locality`),
 * so that they fit together; `below` draws all others.
 */
function membersOf(
  schema: Schema,
  pointer: string,
  { complete }: ValueCircumstances,
  below: (name: string, schema: Schema) => fc.Arbitrary<Json>,
): fc.Arbitrary<Json> {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const names = properties.map(([name]) => name);
  const listed = ["required", "x-fxconform-usual"].map(
    (keyword) => (schema[keyword] ?? []) as readonly string[],
  );
  const constant = new Set(listed.flat());
  const readings = properties.flatMap(([name, one]) => {
    const source = placeSourceOf(one);
    return source ? [{ name, source }] : [];
  });
  const drawn = properties.filter(([name]) => !readings.some((one) => one.name === name));
  const presence = complete ? fc.constant(true) : fc.boolean();
  const optional = names.filter((name) => !constant.has(name));
  return fc
    .record({
      place: placeFor(readings, constant, pointer, complete),
      values: fc.record(Object.fromEntries(drawn.map(([name, one]) => [name, below(name, one)]))),
      present: fc.record(Object.fromEntries(optional.map((name) => [name, presence]))),
    })
    .map(({ place, values, present }) => {
      const read = Object.fromEntries(
        readings.map(({ name, source }) => [name, place && source.inPlace(place)]),
      );
      const possible: Readonly<Record<string, Json | undefined>> = { ...values, ...read };
      const shown = names.filter(
        (name) => (constant.has(name) || present[name]) && possible[name] !== undefined,
      );
      return Object.fromEntries(shown.map((name) => [name, possible[name] as Json]));
    });
}

/**
 * Draws a place with values for all members that are always present. For a complete body, the place
 * has values for as many members as possible. Draws undefined if no member needs a place.
 */
function placeFor(
  readings: readonly { readonly name: string; readonly source: PlaceSource }[],
  constant: ReadonlySet<string>,
  pointer: string,
  complete: boolean,
) {
  if (readings.length === 0) return fc.constant(undefined);
  const needed = readings.filter(({ name }) => constant.has(name)).map(({ source }) => source);
  const possible = countriesWith(needed);
  if (possible.length === 0) throw new GeneratorError(pointer, "no place has all required members");
  if (!complete) return placeArbitrary(possible);
  const supplied = readings.map(({ source }) => new Set(countriesWith([source])));
  const richness = possible.map(
    (country) => supplied.filter((having) => having.has(country)).length,
  );
  return placeArbitrary(possible.filter((_, at) => richness[at] === Math.max(...richness)));
}

/** The source of the values of this schema if they come from a place, otherwise undefined. */
function placeSourceOf(schema: Schema): PlaceSource | undefined {
  const source = sourceOf(schema);
  return source && "inPlace" in source ? source : undefined;
}

/** The countries whose places have a value from every source. */
function countriesWith(sources: readonly PlaceSource[]): readonly Country[] {
  return countries.filter((country) => sources.every(({ where }) => where?.(country) ?? true));
}

/** The arbitrary for a value that is not a member of an object with a place. */
function arbitraryFrom(source: ValueSource, circumstances: ValueCircumstances): fc.Arbitrary<Json> {
  if ("arbitrary" in source) return source.arbitrary(circumstances);
  return placeArbitrary(countriesWith([source])).map((place) => source.inPlace(place) ?? "");
}
