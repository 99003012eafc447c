import { endpoints } from "../../spec/endpoints.ts";
import { listed } from "../../model/plural.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { memberOf } from "../../spec/json.ts";
import {
  allows,
  inside,
  keywordAt,
  kinds,
  kindsAt,
  kindsOf,
  limitAgainst,
  membersAt,
  schemasAt,
  uncomparedIn,
  type Described,
  type Kind,
} from "./schemas.ts";
import { strategyOf } from "../../harness/judging/rules/words.ts";
import { nearestMember, type NearMember } from "./near-misses.ts";
import {
  childOf,
  referenceAt,
  type Place,
  contradicts,
  held,
  noted,
  shortJson,
  type RequirementReading,
} from "./place.ts";
import { nameOf, type Specified, type SpecifiedValue } from "./specified.ts";

/** A place in a body of a document. */
interface BodyPlace extends Described {
  /** What notes call the body: `POST /batches, response 201`. */
  readonly title: string;
  readonly isRequest: boolean;
}

type Readings = readonly RequirementReading[];

/** Compares a place in a body, and what is in it, with what the specification says of it. */
export function placeReadings(specified: Specified, at: BodyPlace, mayBeAbsent = false): Readings {
  const problems = schemasAt(at).flatMap((schema) => uncomparedIn(schema, at.document));
  const found = kindsAt(at);
  const refused = refusedReading(specified, at, found) ?? formatReading(specified, at);
  return [
    ...problems.map((problem) => noted("Not compared", problem)),
    ...(refused === undefined
      ? [
          ...typeReadings(specified, at, found),
          ...specified.values.map((value) => valueReading(value, at, mayBeAbsent)),
          ...memberReadings(specified, at),
          ...elementReadings(specified, at),
        ]
      : [refused]),
  ];
}

/** Returns a contradiction if the document allows no value of the right type. */
function refusedReading(
  { right, requirement, type, values }: Specified,
  at: BodyPlace,
  found: readonly Kind[],
): RequirementReading | undefined {
  // A member that is null may be left out or null (INT-18), so that any right kind will do.
  const needed = values.some((value) => value.values.includes(null)) ? right : right.slice(0, 1);
  const [kind] = needed;
  if (kind === undefined || needed.some((one) => found.includes(one))) return undefined;
  const parts = schemasAt(at).filter((one) => !kindsOf(one).has(kind));
  const where = keywordAt(parts.slice(0, 1), "enum", "const", "type");
  const actual =
    where === undefined || nameOf(where.pointer) === "type"
      ? `type is ${wordsOf(found) || "nothing"}`
      : `the value is one of ${shortJson(where.value)}`;
  return contradicts(requirement, where ?? parts[0] ?? firstAt(at), actual, `must be ${type}`);
}

const firstAt = (at: BodyPlace): Place => schemasAt(at)[0] ?? at.schema;

/** Returns a contradiction if the format excludes right values, whatever alternative is taken. */
function formatReading(
  { right, format, requirement, type }: Specified,
  at: BodyPlace,
): RequirementReading | undefined {
  const wrong = right.includes("decimal")
    ? ["int32", "int64", ...(format === "double" ? ["float"] : [])]
    : ["date", "time", "date-time"].filter((one) => right.includes("string") && one !== format);
  const wrongIn = (schema: Place): Place | undefined => {
    const found = childOf(schema, "format");
    return wrong.some((one) => one === found?.value) ? found : undefined;
  };
  const isAllowed = right.some((kind) =>
    allows(at, (schema) => kindsOf(schema).has(kind) && wrongIn(schema) === undefined),
  );
  const [first] = schemasAt(at).flatMap((schema) => wrongIn(schema) ?? []);
  if (isAllowed || first === undefined) return undefined;
  const actual = `format is ${shortJson(first.value)}`;
  return contradicts(requirement, first, actual, `must be ${format ?? `any ${type}`}`);
}

/**
 * Judges whether the schema allows values of wrong types. If it allows all of them, it does not
 * describe the place, which is only noted.
 */
function typeReadings(
  { place, right, requirement, type, wrong: wrongFor }: Specified,
  at: BodyPlace,
  found: readonly Kind[],
): Readings {
  const wrong = kinds.filter((kind) => wrongFor(kind) !== undefined);
  const allowed = wrong.filter((kind) => found.includes(kind));
  if (wrong.length > 1 && allowed.length === wrong.length)
    return [noted("Not described", `${place || "the body"} of ${at.title}`)];
  const idsOf = (some: readonly Kind[]): readonly RequirementId[] =>
    [...new Set(some.map((kind) => wrongFor(kind)))].filter((id) => id !== undefined);
  const broken = idsOf(allowed);
  const actual = `type is ${wordsOf([...right.filter((kind) => found.includes(kind)), ...allowed])}`;
  const keywords = [...(allowed.includes("null") ? ["nullable"] : []), "anyOf", "oneOf", "type"];
  const where = keywordAt(schemasAt(at), ...keywords) ?? firstAt(at);
  return [
    ...broken.map((id) => contradicts(id, where, actual, `must be ${type}`)),
    ...[requirement, ...idsOf(wrong)].filter((id) => !broken.includes(id)).map((id) => held(id)),
  ];
}

function wordsOf(found: readonly Kind[]): string {
  const words = new Set(found.map((kind) => (kind === "decimal" ? "number" : kind)));
  if (words.has("number")) words.delete("integer");
  return listed([...words], "or");
}

/** Judges whether the limits of the schema exclude values that the specification states. */
function valueReading(
  { requirement, values, text, isPair, isLess: isOptional }: SpecifiedValue,
  at: BodyPlace,
  mayBeAbsent: boolean,
): RequirementReading {
  const schemas = schemasAt(at);
  const lists = schemas.map(({ value }) => memberOf(value, "enum") ?? []);
  // Generators write nullable beside a reference in allOf, where it counts for nothing in 3.0.
  const meansNull = schemas.some(({ value }) => memberOf(value, "nullable") === true);
  const isAllowed =
    (isPair === true &&
      lists.flat().some((value) => typeof value === "string" && /^[A-Z]{6}$/.test(value))) ||
    (isOptional === true && (mayBeAbsent || meansNull)) ||
    values.some((value) => allows(at, (schema) => limitAgainst(value, schema) === undefined));
  const [limit] = schemas.flatMap((schema) => limitAgainst(values[0] ?? null, schema) ?? []);
  if (isAllowed || limit === undefined) return held(requirement);
  const actual = `${nameOf(limit.pointer)} is ${shortJson(limit.value)}`;
  const isNull = values.includes(null);
  // A schema that several members refer to need not allow null at each of them.
  const isShared = isNull && referenceAt(firstAt(at)) !== undefined;
  // What is null may be left out (INT-18), so a document that says so only says less.
  const isLess = isNull && (mayBeAbsent || isOptional === true);
  const where = isShared ? firstAt(at) : limit;
  return contradicts(requirement, where, actual, `must allow ${text}`, { isLess });
}

const isObjectSchema = (schema: Place): boolean => kindsOf(schema).has("object");

/** A member that the specification states, and the one of the document that probably stands for it. */
interface Compared {
  readonly member: Specified;
  readonly near: NearMember | undefined;
}

/** Judges the members of an object: those that are stated, and those that requests must have. */
function memberReadings({ members, requirement }: Specified, at: BodyPlace): Readings {
  const named = membersAt(at);
  if (named.size === 0 || members.length === 0 || allows(at, isObjectSchema) !== true) return [];
  const others = [...named].filter(([name]) => !members.some((member) => member.name === name));
  const compared = members.map((member) => ({
    member,
    near: nearestMember(member, others, at.document),
  }));
  // In a batch, what a request requires is not judged, because the members of a batch besides its
  // pair are not shown (specification, Endpoints, 5).
  const isJudged = at.isRequest && requirement !== endpoints.createBatch.success;
  return [
    ...compared.flatMap((one) => oneMember(one, at)),
    ...(isJudged ? unknownRequired(requirement, compared, at) : []),
  ];
}

function oneMember({ member, near }: Compared, at: BodyPlace): Readings {
  const { name, presence, requirement, omitted } = member;
  const [first] = schemasAt(inside(at, name));
  if (presence === "absent")
    return first === undefined
      ? []
      : [contradicts(requirement, first, `a member ${name}`, "must not have it")];
  if (first === undefined) return missingReadings(member, near, at);
  const excluded = excludedReadings(member, at);
  if (excluded.length > 0) return excluded;
  // A response may have the shape of any alternative, so each alternative needs the stated members.
  const isLacking =
    !at.isRequest && presence === "stated" && allows(at, (schema) => hasOthersThan(name, schema));
  const mayBeAbsent = mayLack(at, name);
  const where = keywordAt(schemasAt(at), "required") ?? firstAt(at);
  const ofOmission = (id: RequirementId): RequirementReading =>
    mayBeAbsent
      ? contradicts(id, where, `${name} is not in required`, "must be in required")
      : held(id);
  return [
    ...(isLacking === true ? missingReadings(member, near, at) : []),
    ...placeReadings(member, inside(at, name), mayBeAbsent),
    ...(omitted === undefined ? [] : [ofOmission(omitted)]),
  ];
}

/** Whether a schema of an object names members, but not this one. */
function hasOthersThan(name: string, schema: Place): boolean | undefined {
  const members = childOf(schema, "properties")?.value;
  if (!isObjectSchema(schema) || memberOf(members, name) !== undefined) return false;
  return members === undefined ? undefined : true;
}

/** Whether the document allows an object without a member. */
function mayLack(at: BodyPlace, name: string): boolean {
  return (
    allows(
      at,
      (schema) => isObjectSchema(schema) && requiringIn(schema, name, at) === undefined,
    ) === true
  );
}

/**
 * The place in `required` where a schema requires a member. Not for members that only the other
 * side sends: those that are `readOnly` in a request, or `writeOnly` in a response.
 */
function requiringIn(schema: Place, name: string, at: BodyPlace): Place | undefined {
  const list = childOf(schema, "required");
  const index = Array.isArray(list?.value) ? list.value.indexOf(name) : -1;
  if (list === undefined || index < 0) return undefined;
  const keyword = at.isRequest ? "readOnly" : "writeOnly";
  const isOfOthers = schemasAt(inside(at, name)).some(({ value }) => memberOf(value, keyword));
  return isOfOthers ? undefined : childOf(list, String(index));
}

/**
 * Returns what is wrong where a schema does not name a member: the member has another name, is
 * excluded, or is left out.
 */
function missingReadings(member: Specified, near: NearMember | undefined, at: BodyPlace): Readings {
  const { name, presence, requirement, type } = member;
  if (near !== undefined) {
    const isLess = presence === "optional";
    const more = { isLess, naming: strategyOf(near.name, name) };
    const [actual, expected] = [`found ${near.name}`, `expected ${name}`];
    const below = near.isNamed
      ? placeReadings(member, inside(at, near.name), mayLack(at, near.name))
      : [];
    return [contradicts(requirement, near.at, actual, expected, more), ...below];
  }
  if (presence === "optional" && !at.isRequest) return [];
  const isStated = presence === "stated";
  const excluded = isStated ? [] : excludedReadings(member, at);
  if (excluded.length > 0) return excluded;
  const lacking = schemasAt(at).filter((schema) => hasOthersThan(name, schema) === true);
  const where = keywordAt(lacking, "properties") ?? firstAt(at);
  const expected = `must have ${name} (${type})`;
  return [contradicts(requirement, where, `no member ${name}`, expected, { isLess: !isStated })];
}

/** Returns a contradiction if the document is closed and does not have a member. */
function excludedReadings({ name, type, requirement }: Specified, at: BodyPlace): Readings {
  const closedIn = (schema: Place): Place | undefined => {
    const closed = childOf(schema, "additionalProperties");
    const isNamed = memberOf(memberOf(schema.value, "properties"), name) !== undefined;
    return closed?.value === false && !isNamed ? closed : undefined;
  };
  const isOpen = allows(at, (schema) => isObjectSchema(schema) && closedIn(schema) === undefined);
  const [first] = schemasAt(at).flatMap((schema) => closedIn(schema) ?? []);
  if (isOpen === true || first === undefined) return [];
  const actual = `${nameOf(first.pointer)} is false, and ${name} is not among the members`;
  return [contradicts(requirement, first, actual, `must allow ${name} (${type})`)];
}

/**
 * Returns a contradiction for each member that the document requires in requests although the
 * specification does not know it, because right requests lack it.
 */
function unknownRequired(
  requirement: RequirementId,
  compared: readonly Compared[],
  at: BodyPlace,
): Readings {
  // A member with another name than stated is one mistake, which is reported there.
  const renamed = compared.flatMap(({ member: { name, presence }, near }) => {
    const isMissing = near !== undefined && schemasAt(inside(at, name)).length === 0;
    return isMissing && (presence !== "optional" || strategyOf(near.name, name) !== undefined)
      ? [near.name]
      : [];
  });
  const known = new Set([...compared.map(({ member }) => member.name), ...renamed]);
  const lists = schemasAt(at).flatMap(({ value }) => memberOf(value, "required") ?? []);
  const names = [...new Set(lists)].filter((name) => typeof name === "string" && !known.has(name));
  return (names as readonly string[]).slice(0, mostUnknown).flatMap((name): Readings => {
    if (mayLack(at, name)) return [];
    const [where] = schemasAt(at).flatMap((schema) => requiringIn(schema, name, at) ?? []);
    const expected = "must not: the specification has no such member";
    return [contradicts(requirement, where ?? firstAt(at), `requires ${name}`, expected)];
  });
}

/** How many members of one object are reported that the specification does not know. */
const mostUnknown = 20;

function elementReadings({ element }: Specified, at: BodyPlace): Readings {
  const elements = inside(at, "0");
  const isList = allows(at, (schema) => kindsOf(schema).has("array")) === true;
  return element !== undefined && isList && schemasAt(elements).length > 0
    ? placeReadings(element, elements)
    : [];
}
