import * as fc from "fast-check";
import { escaped, type Json, type Schema } from "../spec/contract.ts";
import { countries, placeArbitrary, placeIn, type Country, type Place } from "./places.ts";
import { GeneratorError, schemaAt } from "./pointer.ts";
import { sampleOf } from "./pool.ts";
import { sourceOf, type Circumstances, type Source } from "./sources.ts";

/** Draws values that satisfy a schema. Throws GeneratorError for an unknown keyword or an empty schema. */
export function arbitraryOf(document: unknown, reference: string, circumstances: Circumstances): fc.Arbitrary<Json> {
  const at = (target: string, trail: readonly string[]): fc.Arbitrary<Json> => {
    if (trail.includes(target)) throw new GeneratorError(target, "refers to itself");
    return valuesOf(schemaAt(document, target), target, [...trail, target]);
  };
  const valuesOf = (schema: Schema, pointer: string, trail: readonly string[]): fc.Arbitrary<Json> => {
    const deciding = keywords.find(([name]) => (name === "type" ? schema.type === "object" : name in schema));
    const stray = Object.keys(schema).find((name) => !annotations.has(name) && !deciding?.includes(name));
    if (stray !== undefined) throw new GeneratorError(`${pointer}/${escaped(stray)}`, "is an unknown keyword here");
    if (deciding === undefined) throw new GeneratorError(pointer, "does not constrain its values");
    if (typeof schema.$ref === "string") return at(schema.$ref, trail);
    if (schema.type === "object")
      return membersOf(schema, pointer, circumstances, (name, inner) =>
        valuesOf(inner, `${pointer}/properties/${escaped(name)}`, trail),
      );
    const source = sourceOf(schema);
    if (source !== undefined) return arbitraryFrom(source, circumstances);
    const [name] = deciding;
    throw new GeneratorError(`${pointer}/${name}`, `${JSON.stringify(schema[name])} is not known`);
  };
  return at(reference, []);
}

/** The keywords that decide the values of a schema, each with the others that it may have beside it. */
const keywords: readonly (readonly [string, ...string[]])[] = [
  ["$ref"],
  // A value with a meaning, such as a purpose of the configuration.
  ["x-fxconform-domain", "format", "type"],
  ["format", "type"],
  ["type", "properties", "required", "x-fxconform-usual"],
];

const annotations: ReadonlySet<string> = new Set([
  ...["title", "description", "example", "examples", "default", "deprecated", "readOnly", "writeOnly", "externalDocs"],
  ...["x-fxconform-personal", "x-fxconform-question"],
]);

/** Objects: members such as city and IBAN come from one `Place`, so that they agree; `below` makes the others. */
function membersOf(
  schema: Schema,
  pointer: string,
  { complete }: Circumstances,
  below: (name: string, schema: Schema) => fc.Arbitrary<Json>,
): fc.Arbitrary<Json> {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const names = properties.map(([name]) => name);
  const constant = new Set(["required", "x-fxconform-usual"].flatMap((keyword) => namesIn(schema, keyword, pointer)));
  const readings = properties.flatMap(([name, one]) => {
    const reading = readingOf(one);
    return reading ? [{ name, reading }] : [];
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
      const read = Object.fromEntries(readings.map(({ name, reading }) => [name, place && reading(place)]));
      const possible: Readonly<Record<string, Json | undefined>> = { ...values, ...read };
      const shown = names.filter((name) => (constant.has(name) || present[name]) && possible[name] !== undefined);
      return Object.fromEntries(shown.map((name) => [name, possible[name] as Json]));
    });
}

/** The names that a keyword lists. Throws GeneratorError if one is not among the properties. */
function namesIn(schema: Schema, keyword: string, pointer: string): readonly string[] {
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
  pointer: string,
  complete: boolean,
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

/** Reads a value from a place; undefined if the place has none, such as an IBAN. */
type Reading = (place: Place) => string | undefined;

/** Reads values of this schema from the place of the object; undefined if they do not come from a place. */
function readingOf(schema: Schema): Reading | undefined {
  const source = sourceOf(schema);
  return source && "inPlace" in source ? source.inPlace : undefined;
}

/** The countries whose places have a value for every reading. */
const countriesWith = (readings: readonly Reading[]): readonly Country[] =>
  examples
    .filter(({ place }) => readings.every((reading) => reading(place) !== undefined))
    .map(({ country }) => country);

/** One place in each country. It stands for all, because places of a country have values for the same members. */
const examples = countries.flatMap((country) =>
  sampleOf(placeIn(country), { seed: 0, n: 1 }).map((place) => ({ country, place })),
);

/** The arbitrary of a source for a value that is not a member of an object with a place. */
function arbitraryFrom(source: Source, circumstances: Circumstances): fc.Arbitrary<Json> {
  if ("arbitrary" in source) return source.arbitrary(circumstances);
  const { inPlace } = source;
  return placeArbitrary(countriesWith([inPlace])).map((place) => inPlace(place) ?? "");
}
