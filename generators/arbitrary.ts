import * as fc from "fast-check";
import { escaped, type Json, type Schema } from "../spec/contract.ts";
import { countries, placeArbitrary, placeIn, type Country, type Place } from "./places.ts";
import { GeneratorError, schemaAt } from "./pointer.ts";
import { sampleOf } from "./samples.ts";
import { sourceOf, type Circumstances, type Source } from "./sources.ts";

/**
 * The arbitrary of the schema at a pointer into the document, such as `#/components/schemas/Bank`: it draws only values
 * that satisfy the schema. Throws GeneratorError with the pointer of an unknown keyword or of a schema without values.
 */
export function arbitraryOf(document: unknown, reference: string, circumstances: Circumstances): fc.Arbitrary<Json> {
  const at = (target: string, trail: readonly string[]): fc.Arbitrary<Json> => {
    if (trail.includes(target)) throw new GeneratorError(target, "refers to itself");
    return valuesOf(schemaAt(document, target), target, [...trail, target]);
  };
  const valuesOf = (schema: Schema, pointer: string, trail: readonly string[]): fc.Arbitrary<Json> => {
    const spot: Spot = {
      ...circumstances,
      pointer,
      at: (target) => at(target, trail),
      below: (name, inner) => valuesOf(inner, `${pointer}/properties/${escaped(name)}`, trail),
    };
    return keywordOf(schema, pointer).arbitraryOf(schema, spot);
  };
  return at(reference, []);
}

/** A schema at its place in the contract: what its values depend on, and the arbitraries of the schemas below it. */
interface Spot extends Circumstances {
  /** JSON pointer of the schema. */
  readonly pointer: string;
  /** The arbitrary of a member. */
  readonly below: (name: string, schema: Schema) => fc.Arbitrary<Json>;
  /** The arbitrary of the schema at a pointer, as `$ref` writes it: `#/components/schemas/Bank`. */
  readonly at: (reference: string) => fc.Arbitrary<Json>;
}

/** Makes arbitraries from the keywords that the requests of the contract use. */
interface Keyword {
  /** Whether the values of a schema are generated from this keyword. */
  readonly decides: (schema: Schema) => boolean;
  /** All keywords that `arbitraryOf` reads. Any other keyword in the schema is an error, except annotations. */
  readonly reads: readonly string[];
  /** Throws GeneratorError if no value satisfies the schema. */
  readonly arbitraryOf: (schema: Schema, spot: Spot) => fc.Arbitrary<Json>;
}

/** The keyword that generates the values. Throws GeneratorError if the schema has a keyword that this one ignores. */
function keywordOf(schema: Schema, pointer: string): Keyword {
  const deciding = keywords.find((keyword) => keyword.decides(schema));
  const known = (name: string) => annotations.has(name) || deciding?.reads.includes(name);
  const stray = Object.keys(schema).find((name) => !known(name));
  if (stray !== undefined) throw new GeneratorError(`${pointer}/${escaped(stray)}`, "is an unknown keyword here");
  if (!deciding) throw new GeneratorError(pointer, "does not constrain its values");
  return deciding;
}

/** Keywords that do not constrain values. */
const annotations: ReadonlySet<string> = new Set([
  ...["title", "description", "example", "examples", "default", "deprecated", "readOnly", "writeOnly", "externalDocs"],
  ...["x-fxconform-personal", "x-fxconform-question"],
]);

/** `$ref` into the same document. */
const reference: Keyword = {
  decides: (schema) => "$ref" in schema,
  reads: ["$ref"],
  arbitraryOf: (schema, spot) => {
    if (typeof schema.$ref !== "string") throw new GeneratorError(`${spot.pointer}/$ref`, "is not a string");
    return spot.at(schema.$ref);
  },
};

/** `x-fxconform-domain`, a value with this meaning, such as a purpose of the configuration, or `format`. */
const meaningOrFormat: Keyword = {
  decides: (schema) => "x-fxconform-domain" in schema || "format" in schema,
  reads: ["x-fxconform-domain", "format", "type"],
  arbitraryOf: (schema, spot) => {
    const source = sourceOf(schema);
    if (source !== undefined) return arbitraryFrom(source, spot);
    const name = "x-fxconform-domain" in schema ? "x-fxconform-domain" : "format";
    throw new GeneratorError(`${spot.pointer}/${name}`, `${JSON.stringify(schema[name])} is not known`);
  },
};

/**
 * `type: object` with `properties`, `required` and `x-fxconform-usual`. Members such as country, city and IBAN get
 * their values from one place (`Place`), which is drawn for the object, so that they agree. Each other member is drawn
 * by itself. Optional members are present or absent at random; a complete body has all that the place has a value for.
 */
const members: Keyword = {
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
        values: fc.record(Object.fromEntries(drawn.map(([name, one]) => [name, spot.below(name, one)]))),
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

const keywords: readonly Keyword[] = [reference, meaningOrFormat, members];

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
