import { withValue } from "../../generators/pointer.ts";
import { partsOf, valueAt, type Json } from "../../spec/json.ts";
import type { CompiledSchema } from "./compiled.ts";
import type { Expectation } from "./expectations.ts";
import { childOf, entriesAt, memberAt, type Place } from "./place.ts";
import { contradicts, shortJson, type RequirementReading } from "./reading.ts";
import { describedAt, type SchemaView } from "./schema.ts";

/** A body of a document with its examples. */
export interface ExampleBody {
  /** What the document says of the media type: a schema and, beside it, examples. */
  readonly media: Place;
  readonly schema: Place;
  readonly expectations: readonly Expectation[];
  readonly view: SchemaView;
  /** The schema of the contract, without limits. */
  readonly contract: CompiledSchema;
}

/**
 * Compares the examples of a body with the specification. A wrong example only misleads readers, so
 * that it counts as a SHOULD at most.
 */
export function exampleReadings(body: ExampleBody): readonly RequirementReading[] {
  const { media, schema, expectations, view } = body;
  return expectations.flatMap((expectation): readonly RequirementReading[] => {
    if (expectation.presence === "absent") return [];
    const holders = describedAt(schema, expectation.place, view);
    const examples = [
      ...(expectation.place === "" ? examplesOf(media) : []),
      ...holders.flatMap(examplesOf),
    ];
    return examples.flatMap((example) => judged(body, expectation, example));
  });
}

/**
 * The examples at a place: `example`, and the values of `examples`. Beside a schema, `examples` is
 * a map of objects, each with a `value`; inside a schema, it is a list of values.
 */
function examplesOf(holder: Place): readonly Place[] {
  const one = childOf(holder, "example");
  const list = memberAt(childOf(holder, "examples"));
  const more = entriesAt(list).flatMap(([, each]) => {
    const value = Array.isArray(list?.value) ? each : childOf(each, "value");
    return value === undefined ? [] : [value];
  });
  return one === undefined ? more : [one, ...more];
}

function judged(
  { contract, expectations }: ExampleBody,
  expectation: Expectation,
  example: Place,
): readonly RequirementReading[] {
  const { place, right, requirement } = expectation;
  const body = withValue(right[0], place, example.value);
  const faults = contract.faultsOf(body).filter(({ at }) => `${at}/`.startsWith(`${place}/`));
  const places = new Map<string, RequirementReading>();
  for (const { at, keyword } of faults) {
    if (keyword === "anyOf") continue;
    const known = expectations.find((one) => one.place === at.replaceAll(/\/\d+(?=\/|$)/g, "/0"));
    const found = inside(example, at.slice(place.length));
    const actual =
      keyword === "required"
        ? `the example has no ${nameOf(at)}`
        : `the example has ${shortJson(valueAt(body, at))}`;
    const expected =
      keyword === "required"
        ? `must have ${nameOf(at)}`
        : `must be ${known?.type ?? "another type"}`;
    places.set(
      at,
      contradicts(known?.requirement ?? requirement, found, actual, expected, { isLess: true }),
    );
  }
  if (faults.length === 0 && place.endsWith("/currency_pair") && !isPair(example.value)) {
    const expected = "must be two currency codes, as in USDBRL";
    places.set(
      place,
      contradicts(requirement, example, `the example has ${shortJson(example.value)}`, expected, {
        isLess: true,
      }),
    );
  }
  return [...places.values()];
}

const isPair = (value: Json): boolean => typeof value === "string" && /^[A-Z]{6}$/.test(value);

function inside(example: Place, pointer: string): Place {
  let current = example;
  for (const part of partsOf(pointer)) current = childOf(current, part) ?? current;
  return current;
}

const nameOf = (pointer: string): string => partsOf(pointer).at(-1) ?? "the body";
