import { isObject, memberOf, type Json } from "../../spec/json.ts";
import type { Kind } from "./alternatives.ts";
import { childOf, entriesAt, memberAt, type Place } from "./place.ts";
import { contradicts, shortJson, type RequirementReading } from "./reading.ts";
import type { Specified } from "./specified.ts";
import { isDateTime } from "../../harness/judging/response-schemas.ts";

/**
 * Compares the examples that stand in a schema, or beside it, with the specification. A wrong
 * example only misleads readers, so that it counts as a SHOULD at most.
 */
export function exampleReadings(
  specified: Specified,
  holder: Place,
): readonly RequirementReading[] {
  return examplesOf(holder).flatMap((example) => judged(specified, example));
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

function judged(specified: Specified, example: Place): readonly RequirementReading[] {
  const { value } = example;
  const { requirement, type, right, format, name, members, element } = specified;
  const wrong = (expected: string): readonly RequirementReading[] => [
    contradicts(requirement, example, `the example has ${shortJson(value)}`, expected, {
      isLess: true,
    }),
  ];
  const isTime = typeof value !== "string" || format !== "date-time" || isDateTime(value);
  if (!right.includes(kindOf(value)) || !isTime) return wrong(`must be ${type}`);
  if (name === "currency_pair" && (typeof value !== "string" || !/^[A-Z]{6}$/.test(value)))
    return wrong("must be two currency codes, as in USDBRL");
  const inner = entriesOf(example).flatMap(([key, one]) => {
    const place = element ?? members.find((member) => member.name === key);
    return place === undefined || place.presence === "absent" ? [] : judged(place, one);
  });
  const missing = members.filter(
    (member) =>
      isObject(value) && member.presence === "stated" && memberOf(value, member.name) === undefined,
  );
  return [
    ...inner,
    ...missing
      .filter((member) => member.isRequired)
      .map((member) =>
        contradicts(
          member.requirement,
          example,
          `the example has no ${member.name}`,
          `must have ${member.name}`,
          { isLess: true },
        ),
      ),
  ];
}

function entriesOf(example: Place): readonly (readonly [string, Place])[] {
  const { value } = example;
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((name) => {
    const one = childOf(example, name);
    return one === undefined ? [] : [[name, one] as const];
  });
}

function kindOf(value: Json): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "decimal";
  return typeof value as Kind;
}
