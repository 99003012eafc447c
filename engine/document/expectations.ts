import { endpoints } from "../../spec/endpoints.ts";
import { nonObjectBodies, sampleOf, type Generators } from "../../generators/index.ts";
import { typeNameOf } from "../../generators/mutations.ts";
import { withValue } from "../../generators/pointer.ts";
import { typedAt } from "../../harness/judging/rules/members.ts";
import { starred, successes } from "../../harness/judging/rules/successes.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Schema } from "../../spec/contract.ts";
import { isObject, partsOf, valueAt, type Json } from "../../spec/json.ts";
import { operations, type OperationName } from "../../spec/operations.ts";
import { memberRefusalAt } from "../../spec/refusals.ts";
import { allowsAt, type Compiler } from "./compiled.ts";
import { memberAt, type Place } from "./place.ts";
import { alternatives } from "./reading.ts";
import { describedAt } from "./schema.ts";

/** The kinds of body that an operation has. */
export type BodyKind = "request" | "success" | "error";

/**
 * What the specification says of one place in a body, as whole bodies that are right or wrong at
 * this place.
 */
export interface Expectation {
  /** The place, as a JSON pointer into the body. */
  readonly place: string;
  readonly requirement: RequirementId;
  /** The type in words: `string or null`. */
  readonly type: string;
  /** Right bodies. A document must allow at least one of them, if its own limits are left aside. */
  readonly right: readonly [Json, ...Json[]];
  /** Bodies with a value of a wrong type. A document must allow none of them. */
  readonly wrong: readonly WrongBody[];
  /** The body without the member at the place. A document must refuse this body. */
  readonly omitted?: WrongBody | undefined;
  /**
   * What it means if the document does not name the member. `stated`: the document contradicts the
   * specification; `usual`: the document only says less; `optional`: nothing is wrong; `absent`:
   * the document is right, because it must not name the member.
   */
  readonly presence: "stated" | "usual" | "optional" | "absent";
  /**
   * Values that the specification states. Even with its limits, a document must allow at least one
   * body of each.
   */
  readonly values: readonly StatedValue[];
}

interface WrongBody {
  readonly requirement: RequirementId;
  readonly type: string;
  readonly body: Json;
}

interface StatedValue {
  readonly requirement: RequirementId;
  /** The value in words: `"pending_quote"`. */
  readonly text: string;
  readonly bodies: readonly [Json, ...Json[]];
  /** The value is a currency pair. Each server may list other pairs. */
  readonly isPair?: true;
}

/** Some pairs that servers trade. Each server chooses its own. */
const usualPairs = [
  "USDBRL",
  "EURBRL",
  "EURUSD",
  "GBPUSD",
  "USDJPY",
  "USDMXN",
  "BRLUSD",
  "USDEUR",
] as const;

/** Some forms of a time in RFC 3339. Each server chooses one. */
const usualTimes = [
  "2025-03-04T05:06:07.89Z",
  "2025-03-04T05:06:07Z",
  "2025-03-04T05:06:07.891Z",
  "2025-03-04T05:06:07.891234Z",
  "2025-03-04T05:06:07+00:00",
  "2025-03-04T05:06:07.891+00:00",
  "2025-03-04T05:06:07.891234+00:00",
] as const;

/** The members that the specification marks as optional. */
const optionalMembers = new Set(["iban", "aba_routing_number"]);

/**
 * What expectations are made from. `contract` is the contract as a document, and `compile` compiles
 * its schemas.
 */
export interface ExpectationSources {
  readonly contract: Place;
  readonly compile: Compiler;
  readonly generators: Generators;
}

/** Returns the schema of a body in the contract. Undefined if the operation has no such body. */
export function contractSchemaOf(
  contract: Place,
  name: OperationName,
  kind: BodyKind,
): Place | undefined {
  const { method, path } = operations[name];
  if (kind === "request") {
    const operation = memberAt(contract, "paths", path, method.toLowerCase());
    return memberAt(operation, "requestBody", "content", "application/json", "schema");
  }
  const schema = kind === "error" ? "Error" : (successes[name].schema ?? "AcamResult");
  return memberAt(contract, "components", "schemas", schema);
}

/**
 * What the specification says of each place in a body. A place comes before the places inside it.
 * Empty for an operation without such a body.
 */
export function expectationsOf(name: OperationName, kind: BodyKind, sources: ExpectationSources) {
  const schema = contractSchemaOf(sources.contract, name, kind);
  if (schema === undefined) return [];
  return kind === "request"
    ? requestExpectations(name, schema, sources.generators)
    : responseExpectations(name, kind === "success", schema, sources.compile);
}

/**
 * The expectations of a request: what clients may send, by our generators, and for the creation of
 * an operation also what must be refused.
 */
function requestExpectations(
  name: OperationName,
  schema: Place,
  generators: Generators,
): readonly Expectation[] {
  const requirement = endpoints[name].success;
  // With this seed, one of the two bodies has an account with an IBAN, and one an account with a
  // routing number.
  const bodies = sampleOf(generators.complete(name), { seed: 1, n: 2 }).map(withPlainAmounts);
  const [first = null] = bodies;
  const mutations = name === "createOperation" ? generators.mutations(name) : [];
  return [...new Set(bodies.flatMap((body) => placesIn(body)))].map((place): Expectation => {
    const body = bodies.find((one) => valueAt(one, place) !== undefined) ?? first;
    const changed = mutations
      .filter(({ pointer }) => pointer === place)
      .flatMap(({ kind, sent, apply }) => {
        const refusal = memberRefusalAt(place, kind);
        return refusal === undefined
          ? []
          : [{ requirement: refusal, type: sent ?? "", kind, body: apply(body) }];
      });
    const noObjects = nonObjectBodies.map((one) => ({
      requirement: "OPER-32" as const,
      type: typeNameOf(one.body),
      body: one.body,
    }));
    return {
      place,
      requirement,
      type: typeTextAt(schema, place),
      right: [body],
      wrong:
        place === "" && name === "createOperation"
          ? noObjects
          : changed.filter(({ kind }) => kind !== "omit"),
      omitted: changed.find(({ kind }) => kind === "omit"),
      presence: optionalMembers.has(partsOf(place).at(-1) ?? "") ? "optional" : "stated",
      values: statedInRequest(requirement, place, body),
    };
  });
}

/**
 * Replaces the numbers in a body by one that is neither whole nor exact as a float of 32 bits, so
 * that a schema for integers or floats refuses it.
 */
function withPlainAmounts(body: Json): Json {
  const amounts = placesIn(body).filter((place) => typeof valueAt(body, place) === "number");
  return amounts.reduce((whole, place) => withValue(whole, place, plainAmount), body);
}

const plainAmount = 1234.56;

function statedInRequest(
  requirement: RequirementId,
  place: string,
  body: Json,
): readonly StatedValue[] {
  if (place === "/operation_purpose")
    return [{ requirement, text: '"EFX"', bodies: [withValue(body, place, "EFX")] }];
  return place === "/currency_pair" ? [pairsAt(requirement, place, body)] : [];
}

function pairsAt(requirement: RequirementId, place: string, body: Json): StatedValue {
  const [pair, ...others] = usualPairs;
  return {
    requirement,
    text: `pairs such as ${JSON.stringify(pair)}`,
    isPair: true,
    bodies: [withValue(body, place, pair), ...others.map((one) => withValue(body, place, one))],
  };
}

/** A value of every type of JSON, and of numbers a whole one and another one. */
const values: readonly Json[] = [null, "text", 2.5, 7, true, {}, []];

/**
 * Returns the expectations of a response. The right body has every member of a schema of the
 * contract, and each wrong body has a value of another type at one place.
 */
function responseExpectations(
  name: OperationName,
  isSuccess: boolean,
  schema: Place,
  compile: Compiler,
): readonly Expectation[] {
  const facts = isSuccess ? successes[name].facts : [];
  const types = isSuccess ? successes[name].types : [];
  const stated = facts.flatMap(({ requirement, at, value, repeats }) => {
    const one = repeats === "operation_purpose" ? "EFX" : value;
    return one === undefined ? [] : [{ requirement, at, value: one }];
  });
  const plain = bodyOf(schema);
  const body = stated.reduce((whole, { at, value }) => withValue(whole, at, value), plain);
  const places = placesIn(body);
  const names = new Set(places.flatMap(partsOf));
  const { faultsOf } = compile(schema, {
    withLimits: true,
    required: names,
    needsDouble: true,
    isRequest: false,
    names,
  });
  const without = (place: string): Json => withValue(body, place, undefined);
  const requirementAt = (place: string): RequirementId =>
    typedAt(types, place)?.requirement ?? facts[0]?.requirement ?? endpoints[name].errorShape;

  const expected = places.map((place): Expectation => {
    const requirement = requirementAt(place);
    const isFact = facts.some(({ at, isNeeded }) => at === starred(place) && isNeeded === true);
    const isRequired = place !== "" && !allowsAt(faultsOf(without(place)), place);
    const usualPresence = isFact ? "usual" : "optional";
    // A member that is null may be left out (INT-18).
    const isNull = valueAt(body, place) === null;
    const type = typeNameOf(valueAt(body, place) ?? null);
    const others = values.filter((value) => type === "number" || typeNameOf(value) !== type);
    const wrong = others.flatMap((value) => {
      const changed = withValue(body, place, value);
      return allowsAt(faultsOf(changed), place)
        ? []
        : [{ requirement, type: wrongTypeOf(value), body: changed }];
    });
    return {
      place,
      requirement,
      type: typeTextAt(schema, place),
      wrong,
      right: isNull ? [body, without(place)] : [body],
      presence: isRequired ? "stated" : usualPresence,
      values: [
        ...stated
          .filter(({ at }) => at === place)
          .map(({ requirement: id, value }): StatedValue => ({
            requirement: id,
            text: JSON.stringify(value),
            bodies: value === null ? [body, without(place)] : [body],
          })),
        ...usualAt(requirement, place, body),
      ],
    };
  });
  const absent = facts
    .map(({ requirement, at }) => ({ requirement, place: at.replaceAll("*", "0") }))
    .filter(({ place }) => valueAt(body, place) === undefined)
    .map(({ requirement, place }): Expectation => ({
      place,
      requirement,
      type: "",
      right: [body],
      wrong: [],
      presence: "absent",
      values: [],
    }));
  return [...expected, ...absent];
}

const wrongTypeOf = (value: Json): string => (value === 7 ? "integer" : typeNameOf(value));

/**
 * Returns usual values for a place with a pair or a time, of which each server chooses its own.
 * Empty for any other place.
 */
function usualAt(requirement: RequirementId, place: string, body: Json): readonly StatedValue[] {
  if (place.endsWith("/currency_pair")) return [pairsAt(requirement, place, body)];
  if (!place.endsWith("/created_at")) return [];
  const [first, ...others] = usualTimes;
  const at = (time: string): Json => withValue(body, place, time);
  return [{ requirement, text: "times of RFC 3339", bodies: [at(first), ...others.map(at)] }];
}

/** The types of a place by the contract, in words: `string or null`. */
function typeTextAt(schema: Place, place: string): string {
  const types = describedAt(schema, place, { version: "3.1" }).flatMap(({ value }) =>
    isObject(value) ? [value["type"]].flat() : [],
  );
  return alternatives([...new Set(types.filter((one) => typeof one === "string"))]);
}

/**
 * Returns a value that fits a schema of the contract. Amounts in it are neither whole nor exact as
 * floats of 32 bits.
 */
function bodyOf(place: Place): Json {
  const schema = memberAt(place)?.value as Schema;
  const { anyOf, type, format, properties, items } = schema;
  const inner = (...names: readonly string[]): Json => {
    const found = memberAt(place, ...names);
    return found === undefined ? null : bodyOf(found);
  };
  if (anyOf !== undefined) return inner("anyOf", "0");
  if (items !== undefined) return [inner("items")];
  if (isObject(properties))
    return Object.fromEntries(
      Object.keys(properties).map((name) => [name, inner("properties", name)]),
    );
  if (type === "integer") return 1;
  if (type === "number") return plainAmount;
  return format === "date-time" ? usualTimes[0] : "text";
}

/** Every place in a value, as JSON pointers. A place comes before the places inside it. */
function placesIn(value: Json, pointer = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [pointer];
  const members = Object.entries(value) as readonly (readonly [string, Json])[];
  return [pointer, ...members.flatMap(([name, one]) => placesIn(one, `${pointer}/${name}`))];
}
