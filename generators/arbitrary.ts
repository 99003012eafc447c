import * as fc from "fast-check";
import { escaped, type Json } from "../spec/json.ts";
import type { Schema } from "../spec/contract.ts";
import {
  accountArbitrary,
  countries,
  countryArbitrary,
  type Account,
  type Country,
} from "./places.ts";
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
 * Draws the members of an object. Members such as city and IBAN come from one place, so that they
 * fit together; `below` draws all others.
 */
function membersOf(
  schema: Schema,
  pointer: string,
  { complete }: ValueCircumstances,
  below: (name: string, schema: Schema) => fc.Arbitrary<Json>,
): fc.Arbitrary<Json> {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const listed = ["required", "x-fxconform-usual"].map(
    (keyword) => (schema[keyword] ?? []) as readonly string[],
  );
  const constant = new Set(listed.flat());
  const members = properties.map(([name, one]) => ({
    name,
    isAlways: constant.has(name),
    source: placeSourceOf(one),
  }));
  const drawn = properties.filter((_, at) => members[at]?.source === undefined);
  const presence = complete ? fc.constant(true) : fc.boolean();
  const optional = members.filter(({ isAlways }) => !isAlways);
  return fc
    .record({
      place: placeFor(members, pointer, complete),
      values: fc.record(Object.fromEntries(drawn.map(([name, one]) => [name, below(name, one)]))),
      present: fc.record(Object.fromEntries(optional.map(({ name }) => [name, presence]))),
    })
    .map(({ place, values, present }) => {
      const body: Record<string, Json> = {};
      for (const { name, isAlways, source } of members) {
        const value = source === undefined ? values[name] : valueIn(place, source);
        if (value !== undefined && (isAlways || present[name])) body[name] = value;
      }
      return body;
    });
}

/** A member of an object. `source` is absent if its values do not come from a place. */
interface PossibleMember {
  readonly isAlways: boolean;
  readonly source: PlaceSource | undefined;
}

/** What the members of one object have in common. Undefined where no member needs it. */
interface MembersPlace {
  readonly country?: Country;
  readonly account?: Account;
}

/**
 * Draws a place with values for all members that are always present. For a complete body, the place
 * has values for as many members as possible.
 */
function placeFor(
  members: readonly PossibleMember[],
  pointer: string,
  complete: boolean,
): fc.Arbitrary<MembersPlace> {
  const placed = members.flatMap(({ isAlways, source }) => (source ? [{ isAlways, source }] : []));
  if (placed.length === 0) return fc.constant({});
  const sources = placed.map(({ source }) => source);
  const needed = placed.filter(({ isAlways }) => isAlways).map(({ source }) => source);
  const possible = countriesWith(needed);
  if (possible.length === 0) throw new GeneratorError(pointer, "no place has all required members");
  if (!complete) return placeArbitrary(sources, possible);
  const supplied = sources.map((source) => new Set(countriesWith([source])));
  const richness = possible.map(
    (country) => supplied.filter((having) => having.has(country)).length,
  );
  const richest = possible.filter((_, at) => richness[at] === Math.max(...richness));
  return placeArbitrary(sources, richest);
}

/** Draws places in the given countries, without an account if no source needs one. */
function placeArbitrary(
  sources: readonly PlaceSource[],
  among: readonly Country[],
): fc.Arbitrary<MembersPlace> {
  return sources.some((source) => "ofAccount" in source)
    ? accountArbitrary(among).map((account) => ({ country: account.country, account }))
    : countryArbitrary(among).map((country) => ({ country }));
}

/** The value that a place has. Undefined if it has none. */
function valueIn({ country, account }: MembersPlace, source: PlaceSource): string | undefined {
  if ("inCountry" in source) return country && source.inCountry(country);
  return account && source.ofAccount(account);
}

/** The source of the values of this schema if they come from a place, otherwise undefined. */
function placeSourceOf(schema: Schema): PlaceSource | undefined {
  const source = sourceOf(schema);
  return source === undefined || "arbitrary" in source ? undefined : source;
}

/** The countries whose places have a value from every source. */
function countriesWith(sources: readonly PlaceSource[]): readonly Country[] {
  return countries.filter((country) => sources.every((source) => hasValue(source, country)));
}

/** Whether places in this country have a value from this source. */
function hasValue(source: PlaceSource, country: Country): boolean {
  return "inCountry" in source || (source.where?.(country) ?? true);
}

/** The arbitrary for a value that is not a member of an object with a place. */
function arbitraryFrom(source: ValueSource, circumstances: ValueCircumstances): fc.Arbitrary<Json> {
  if ("arbitrary" in source) return source.arbitrary(circumstances);
  return placeArbitrary([source], countriesWith([source])).map(
    (place) => valueIn(place, source) ?? "",
  );
}
