import { endpoints } from "../../spec/endpoints.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { memberOf } from "../../spec/json.ts";
import {
  childrenIn,
  describedBy,
  elementsIn,
  excluding,
  keywordAt,
  kinds,
  kindsIn,
  kindsOf,
  membersOf,
  requiringAt,
  union,
  type Alternative,
  type Described,
  type Kind,
} from "./alternatives.ts";
import type { ApiDocument } from "./document.ts";
import { strategyOf } from "../../harness/judging/rules/words.ts";
import { nearestMember } from "./near-misses.ts";
import { childOf, lineText, referenceAt, type Place } from "./place.ts";
import {
  contradicts,
  held,
  noted,
  shortJson,
  alternativesText,
  unjudged,
  type RequirementReading,
} from "./reading.ts";
import type { Specified, SpecifiedValue } from "./specified.ts";

/** A body in a document. */
export interface DescribedBody {
  /** What notes call the body: `POST /batches, response 201`. */
  readonly title: string;
  readonly schema: Place;
  readonly isRequest: boolean;
  readonly document: ApiDocument;
}

type Readings = readonly RequirementReading[];

/** Compares the schema of a body with what the specification says of it, place by place. */
export function bodyReadings(specified: Specified, body: DescribedBody): Readings {
  body.document.budget.startBody();
  const at = describedBy([body.schema], body.document);
  return placeReadings(specified, at, false, body);
}

function placeReadings(
  specified: Specified,
  at: Described,
  mayBeAbsent: boolean,
  body: DescribedBody,
): Readings {
  const notes = at.problems.map((problem) => noted("Not compared", problem));
  const refused = refusedReading(specified, at, body) ?? formatReading(specified, at);
  if (refused !== undefined) return [...notes, refused];
  return [
    ...notes,
    ...typeReadings(specified, at, body),
    ...specified.values.map((value) => valueReading(value, at, mayBeAbsent, body)),
    ...memberReadings(specified, at, body),
    ...elementReadings(specified, at, body),
  ];
}

/** Returns a contradiction if the document allows no value of the right type. */
function refusedReading(
  { right, requirement, type, values }: Specified,
  { alternatives, schemas }: Described,
  { schema: whole }: DescribedBody,
): RequirementReading | undefined {
  const found = alternatives.flatMap(kindsIn);
  // A member that is null may be left out or null (INT-18), so that any right kind will do.
  const needed = values.some((value) => value.values.includes(null)) ? right : right.slice(0, 1);
  const [kind] = needed;
  if (kind === undefined || needed.some((one) => found.includes(one))) return undefined;
  const part = alternatives.flat().find((one) => !kindsOf(one).has(kind));
  const at = part && ["enum", "const", "type"].flatMap((name) => childOf(part, name) ?? [])[0];
  const actual =
    at === undefined || keywordOf(at) === "type"
      ? `type is ${wordsOf(found) || "nothing"}`
      : `the value is one of ${shortJson(at.value)}`;
  return contradicts(requirement, at ?? part ?? schemas[0] ?? whole, actual, `must be ${type}`);
}

/** Returns a contradiction if the format excludes right values in each alternative. */
function formatReading(
  specified: Specified,
  { alternatives }: Described,
): RequirementReading | undefined {
  const { right, format, requirement, type } = specified;
  const wrong = right.includes("decimal")
    ? ["int32", "int64", ...(format === "double" ? ["float"] : [])]
    : ["date", "time", "date-time"].filter((one) => right.includes("string") && one !== format);
  const fitting = alternatives.filter((one) => kindsIn(one).some((kind) => right.includes(kind)));
  const found = fitting.map((one) =>
    one
      .map((part) => childOf(part, "format"))
      .find((at) => wrong.some((name) => name === at?.value)),
  );
  const [first] = found;
  if (first === undefined || found.includes(undefined)) return undefined;
  const expected = format ?? `any ${type}`;
  return contradicts(
    requirement,
    first,
    `format is ${shortJson(first.value)}`,
    `must be ${expected}`,
  );
}

/**
 * Judges whether the schema allows values of wrong types. If it allows all of them, it does not
 * describe the place, which is only noted.
 */
function typeReadings(
  specified: Specified,
  at: Described,
  { title, schema }: DescribedBody,
): Readings {
  const { place, right, requirement, type } = specified;
  const found = new Set(at.alternatives.flatMap(kindsIn));
  const wrong = kinds.filter((kind) => specified.wrong(kind) !== undefined);
  const allowed = wrong.filter((kind) => found.has(kind));
  if (wrong.length > 1 && allowed.length === wrong.length)
    return [noted("Not described", `${place || "the body"} of ${title}`)];
  const idsOf = (some: readonly Kind[]): readonly RequirementId[] =>
    [...new Set(some.map((kind) => specified.wrong(kind)))].filter((id) => id !== undefined);
  const broken = idsOf(allowed);
  const actual = `type is ${wordsOf([...right.filter((kind) => found.has(kind)), ...allowed])}`;
  const keywords = [...(allowed.includes("null") ? ["nullable"] : []), "anyOf", "oneOf", "type"];
  const where = keywordAt(at.schemas, ...keywords) ?? schema;
  return [
    ...broken.map((id) => contradicts(id, where, actual, `must be ${type}`)),
    ...[requirement, ...idsOf(wrong)].filter((id) => !broken.includes(id)).map((id) => held(id)),
  ];
}

function wordsOf(found: readonly Kind[]): string {
  const words = new Set(found.map((kind) => (kind === "decimal" ? "number" : kind)));
  if (words.has("number")) words.delete("integer");
  return alternativesText([...words]);
}

/** Judges whether the limits of the schema exclude values that the specification states. */
function valueReading(
  { requirement, values, text, isPair, isLess: isOptional }: SpecifiedValue,
  { alternatives, schemas }: Described,
  mayBeAbsent: boolean,
  { document }: DescribedBody,
): RequirementReading {
  const lists = alternatives.flat().map((part) => childOf(part, "enum")?.value ?? []);
  if (isPair === true && lists.flat().some(hasFormOfPair)) return held(requirement);
  // Generators write nullable beside a reference in allOf, where it counts for nothing in 3.0.
  const meansNull = schemas.some(({ value }) => memberOf(value, "nullable") === true);
  if (isOptional === true && (mayBeAbsent || meansNull)) return held(requirement);
  const results = values.flatMap((value) =>
    alternatives.map((one) => limitAgainst(value, one, document)),
  );
  // What is null may be left out (INT-18), so a document that says so only says less.
  const isLess = values.includes(null) && (mayBeAbsent || isOptional === true);
  const [first] = results;
  if (first === undefined || results.includes(undefined)) return held(requirement);
  const open = results.find((one) => one?.isOpen === true);
  if (open !== undefined)
    return unjudged(
      requirement,
      `${lineText(open.at)}: the pattern is none here, or takes too long, so what depends on it is not judged`,
    );
  const actual = `${keywordOf(first.at)} is ${shortJson(first.at.value)}`;
  // A schema that several members refer to need not allow null at each of them.
  const [whole] = schemas;
  const isShared = values.includes(null) && whole !== undefined && referenceAt(whole);
  const where = isShared ? whole : first.at;
  return contradicts(requirement, where, actual, `must allow ${text}`, { isLess });
}

/** The keyword at whose value a place is. */
const keywordOf = ({ pointer }: Place): string => pointer.slice(pointer.lastIndexOf("/") + 1);

function hasFormOfPair(value: unknown): boolean {
  return typeof value === "string" && /^[A-Z]{6}$/.test(value);
}

/** A keyword that excludes a value. `isOpen`: it may exclude the value. */
interface Limit {
  readonly at: Place;
  readonly isOpen?: boolean;
}

/** Returns the keyword of an alternative that excludes a value, if there is one. */
function limitAgainst(
  value: string | null,
  alternative: Alternative,
  { budget }: ApiDocument,
): Limit | undefined {
  budget.takeSchemas(0);
  const kind = value === null ? "null" : "string";
  const tests: Readonly<Record<string, (limit: Place) => boolean | undefined>> = {
    type: (at) => [at.value].flat().includes(kind),
    enum: (at) => !Array.isArray(at.value) || at.value.includes(value),
    const: (at) => at.value === value,
    pattern: (at) =>
      value === null || typeof at.value !== "string" || budget.matches(at.value, value),
    minLength: (at) => value === null || value.length >= Number(at.value),
    maxLength: (at) => value === null || value.length <= Number(at.value),
  };
  let open: Limit | undefined;
  for (const part of alternative) {
    for (const [keyword, test] of Object.entries(tests)) {
      const at = childOf(part, keyword);
      const isAllowed = at === undefined || test(at);
      if (at !== undefined && isAllowed === false) return { at };
      if (at !== undefined && isAllowed === undefined) open ??= { at, isOpen: true };
    }
  }
  return open;
}

/** Judges the members of an object: those that are stated, and those that requests must have. */
function memberReadings(specified: Specified, at: Described, body: DescribedBody): Readings {
  const objects = at.alternatives.filter((one) => kindsIn(one).includes("object"));
  if (objects.length === 0 || specified.members.length === 0) return [];
  return [
    ...specified.members.flatMap((member) => oneMember(member, { specified, at, objects }, body)),
    ...unknownRequired(specified, objects, body),
  ];
}

/** An object in a body, with the alternatives of the document that can be objects. */
interface Around {
  readonly specified: Specified;
  readonly at: Described;
  readonly objects: readonly Alternative[];
}

function oneMember(member: Specified, around: Around, body: DescribedBody): Readings {
  const { name, presence, requirement, omitted } = member;
  const { at, objects } = around;
  const { document, isRequest, schema } = body;
  const named = objects.filter((one) => childrenIn(one, name).length > 0);
  const [first] = named.flatMap((one) => childrenIn(one, name));
  if (presence === "absent")
    return first === undefined
      ? []
      : [contradicts(requirement, first, `a member ${name}`, "must not have it")];
  if (first === undefined) return missingReadings(member, around, objects, body);
  const closed = named.map((one) => excluding(one, name));
  if (closed[0] !== undefined && !closed.includes(undefined))
    return [excludedReading(member, closed[0])];
  // A response may have the shape of any alternative, so each alternative needs the stated members.
  const others =
    isRequest || presence !== "stated" ? [] : objects.filter((one) => !named.includes(one));
  const lacking = others.flatMap((one) => missingReadings(member, around, [one], body));
  const mayBeAbsent = mayLack(objects, name, body);
  const inside = union(
    named.map((one) => describedBy(childrenIn(one, name), document)),
    document,
  );
  const where = keywordAt(at.schemas, "required") ?? schema;
  const ofOmission = (id: RequirementId): RequirementReading =>
    mayBeAbsent
      ? contradicts(id, where, `${name} is not in required`, "must be in required")
      : held(id);
  return [
    ...lacking,
    ...placeReadings(member, inside, mayBeAbsent, body),
    ...(omitted === undefined ? [] : [ofOmission(omitted)]),
  ];
}

/** Whether one of these alternatives does not require a member. */
function mayLack(
  objects: readonly Alternative[],
  name: string,
  { isRequest, document }: DescribedBody,
): boolean {
  return objects.some((one) => requiringAt(one, name, isRequest, document) === undefined);
}

/**
 * Returns what is wrong where no schema names a member: the member has another name, is excluded,
 * or is left out.
 */
function missingReadings(
  whole: Specified,
  { specified, at }: Around,
  objects: readonly Alternative[],
  body: DescribedBody,
): Readings {
  const { name, presence, requirement, type } = whole;
  const { isRequest, document, schema } = body;
  const parts = objects.flat();
  const members = membersOf(parts);
  if (members.size === 0) return [];
  const known = new Set(specified.members.map((one) => one.name));
  const others = new Map([...members].filter(([one]) => !known.has(one)));
  const near = nearestMember(name, type, others, document);
  if (near !== undefined) {
    const more = { isLess: presence === "optional", naming: strategyOf(near.name, name) };
    const misnamed = contradicts(
      requirement,
      near.at,
      `found ${near.name}`,
      `expected ${name}`,
      more,
    );
    if (!near.isNamed) return [misnamed];
    const isOpen = mayLack(objects, near.name, body);
    const inside = describedBy([near.at], document);
    return [misnamed, ...placeReadings(whole, inside, isOpen, body)];
  }
  if (presence === "optional" && !isRequest) return [];
  const isStated = presence === "stated";
  const closed = isStated ? [] : objects.map((one) => excluding(one, name));
  if (closed[0] !== undefined && !closed.includes(undefined))
    return [excludedReading(whole, closed[0])];
  const where = keywordAt(parts, "properties") ?? at.schemas[0] ?? schema;
  const expected = `must have ${name} (${type})`;
  return [contradicts(requirement, where, `no member ${name}`, expected, { isLess: !isStated })];
}

function excludedReading({ requirement, name, type }: Specified, at: Place): RequirementReading {
  const actual = `${keywordOf(at)} is false, and ${name} is not among the members`;
  return contradicts(requirement, at, actual, `must allow ${name} (${type})`);
}

/**
 * Returns a contradiction for each member that the document requires in requests although the
 * specification does not know it, because right requests lack it. In a batch it is not judged,
 * because the members of a batch besides its pair are not shown (specification, Endpoints, 5).
 */
function unknownRequired(
  { members, requirement }: Specified,
  objects: readonly Alternative[],
  { isRequest, document }: DescribedBody,
): Readings {
  if (!isRequest || requirement === endpoints.createBatch.success) return [];
  const known = new Set(members.map(({ name }) => name));
  const lists = (objects[0] ?? []).flatMap((part) => childOf(part, "required")?.value ?? []);
  const names = [...new Set(lists.flat())].filter((name) => typeof name === "string");
  const named = membersOf(objects.flat());
  const others = new Map([...named].filter(([name]) => !known.has(name)));
  // A member with another name than stated is one mistake, which is reported there.
  const renamed = members
    .filter(({ name }) => !named.has(name))
    .flatMap(({ name, type, presence }) => {
      const near = nearestMember(name, type, others, document);
      const isSure = near !== undefined && strategyOf(near.name, name) !== undefined;
      return near !== undefined && (presence !== "optional" || isSure) ? [near.name] : [];
    });
  const unknown = names.filter((name) => !known.has(name) && !renamed.includes(name));
  return unknown.slice(0, mostUnknown).flatMap((name): Readings => {
    const all = objects.map((one) => requiringAt(one, name, true, document));
    const [at] = all;
    if (at === undefined || all.includes(undefined)) return [];
    const expected = "must not: the specification has no such member";
    return [contradicts(requirement, at, `requires ${name}`, expected)];
  });
}

/** How many members of one object are reported that the specification does not know. */
const mostUnknown = 20;

function elementReadings({ element }: Specified, at: Described, body: DescribedBody): Readings {
  const lists = at.alternatives.filter((one) => kindsIn(one).includes("array"));
  const items = lists.map(elementsIn).filter((one) => one.length > 0);
  if (element === undefined || items.length === 0) return [];
  const inside = union(
    items.map((one) => describedBy(one, body.document)),
    body.document,
  );
  return placeReadings(element, inside, false, body);
}
