import { classOf, isObject, memberOf, type Json } from "../../../spec/json.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { decimalsOf } from "../../../model/request-facts.ts";
import type { WrongMember } from "./words.ts";

/** How a value that came back differs from the one that was sent, and where. */
export interface MemberDifference {
  readonly pointer: string;
  readonly before: Json;
  readonly after: Json | undefined;
}

/** Whether two values have one JSON type. A value of another type is no echo. */
export function isComparable(sent: Json, value: Json): boolean {
  return typeOf(sent) === typeOf(value);
}

/**
 * The first difference between a value that was sent and the value that came back. Undefined if
 * there is none. The response may add members.
 */
export function differenceOf(
  before: Json,
  after: Json,
  pointer: string,
): MemberDifference | undefined {
  if (isObject(before) && isObject(after)) {
    for (const [name, inner] of Object.entries(before)) {
      const other = memberOf(after, name);
      if (other === undefined)
        return { pointer: `${pointer}/${name}`, before: inner, after: other };
      if (typeOf(other) !== typeOf(inner)) continue;
      const found = differenceOf(inner, other, `${pointer}/${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return before === after ? undefined : { pointer, before, after };
}

/** The finding on a member that does not repeat the value that was sent. */
export function wrongEcho(requirement: RequirementId, difference: MemberDifference): WrongMember {
  const { pointer, after } = difference;
  return {
    requirement,
    at: pointer,
    rule: "as sent",
    found: after === undefined ? "a body without it" : `another value: ${classOf(after)}`,
    note: whereText(difference),
    deviation: { kind: "echo", actual: echoClass(difference) },
  };
}

/** In which way a returned value differs from the value that was sent. */
function echoClass({ before, after }: MemberDifference): string {
  if (after === undefined) return "left out";
  if (typeof before !== "number" || typeof after !== "number") return "another value";
  const decimals = decimalsOf(after);
  const isShorter = decimals < decimalsOf(before) && Math.abs(before - after) < 10 ** -decimals;
  return isShorter ? "fewer decimals" : "another value";
}

function whereText({ before, after }: MemberDifference): string {
  if (typeof before !== "string" || typeof after !== "string" || before.length <= longestShown)
    return "";
  let at = 0;
  while (before[at] === after[at]) at += 1;
  const one = (text: string): string => (at < text.length ? JSON.stringify(text[at]) : "nothing");
  return ` (from character ${at + 1} on: ${one(after)} in the place of ${one(before)})`;
}

/** Two texts of up to this length can be compared at a glance. */
const longestShown = 100;

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
