import { withValue } from "../../generators/pointer.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { isObject, partsOf, valueAt, type Json } from "../../spec/json.ts";
import type { CompiledSchema, Compiler, Fault } from "./compiled.ts";
import { allowsAt } from "./compiled.ts";
import type { Expectation } from "./expectations.ts";
import { nearestMember } from "./near-misses.ts";
import { childOf, keyOf, lineText, type Place } from "./place.ts";
import {
  alternatives,
  contradicts,
  held,
  noted,
  openAt,
  shortJson,
  unjudged,
  type RequirementReading,
} from "./reading.ts";
import { isOfOtherSide } from "./schema-copy.ts";
import { describedAt, keywordAt, membersOf, type SchemaView } from "./schema.ts";

/** A body in a document, and what the specification says of this body. */
export interface DescribedBody {
  /** What notes call the body: `POST /batches, response 201`. */
  readonly title: string;
  readonly schema: Place;
  /** What the specification says of each place. A place comes before the places inside it. */
  readonly expectations: readonly Expectation[];
  readonly isRequest: boolean;
  /**
   * What the specification says of required members: it states them, it does not, or it may not
   * even show all members.
   */
  readonly required: "stated" | "not stated" | "may be others";
  readonly needsDouble: boolean;
  readonly version: SchemaView["version"];
}

/** A body whose schema is compiled twice: exactly as it is, and without limits. */
interface Comparison extends DescribedBody {
  readonly view: SchemaView;
  readonly places: ReadonlySet<string>;
  /** The schema without the limits that a server may have. */
  readonly relaxed: CompiledSchema;
  readonly exact: CompiledSchema;
}

/** What a document shows at a place. `isClosed`: nothing is compared below the place. */
interface PlaceReading {
  readonly found: readonly RequirementReading[];
  readonly isClosed: boolean;
  /** Why nothing can be judged at the place and below it. */
  readonly unreadable?: string;
}

/** Compares the schema of a body with what the specification says of the body, place by place. */
export function bodyReadings(
  body: DescribedBody,
  compile: Compiler,
): readonly RequirementReading[] {
  const whole = comparisonOf(body, compile, undefined);
  // A response may take any of several alternatives, so that each alternative must have the right
  // shape.
  const choices = body.isRequest ? [] : whole.relaxed.choices;
  const each = choices.flatMap(({ key, count }) =>
    Array.from({ length: count }, (_, index) =>
      comparisonOf(body, compile, new Map([[key, index]])),
    ),
  );
  return [
    ...notesOf(whole),
    ...readingsOf(whole),
    ...unknownRequired(whole),
    ...each
      .flatMap((one) => readingsOf({ ...one, expectations: one.expectations.map(withoutValues) }))
      .filter(isFailure),
  ];
}

const withoutValues = (expectation: Expectation): Expectation => ({ ...expectation, values: [] });

function isFailure(reading: RequirementReading): boolean {
  return reading.kind === "contradiction" && !reading.isLess;
}

function notesOf({ exact }: Comparison): readonly RequirementReading[] {
  const texts = new Set(exact.uncompared.map(({ at, text }) => `${text} (${lineText(at)})`));
  return [...texts].map((text) => noted("Not compared", text));
}

function comparisonOf(
  body: DescribedBody,
  compile: Compiler,
  chosen: SchemaView["chosen"],
): Comparison {
  const { schema, expectations, isRequest, needsDouble, version } = body;
  const places = new Set(expectations.map(({ place }) => place));
  const names = new Set([...places].flatMap(partsOf));
  const none: ReadonlySet<string> = new Set();
  const statesRequired = body.required === "stated";
  const reading = { needsDouble, isRequest, names, ...(chosen !== undefined && { chosen }) };
  return {
    ...body,
    view: { version, chosen },
    places,
    relaxed: compile(schema, {
      ...reading,
      withLimits: false,
      required: isRequest && statesRequired ? names : none,
    }),
    exact: compile(schema, {
      ...reading,
      withLimits: true,
      required: !isRequest || statesRequired ? names : none,
    }),
  };
}

function readingsOf(comparison: Comparison): readonly RequirementReading[] {
  const readings: RequirementReading[] = [];
  const closed = new Map<string, string | undefined>();
  for (const expectation of comparison.expectations) {
    const above = [...closed.keys()].find((place) => expectation.place.startsWith(`${place}/`));
    if (above !== undefined) {
      const reason = closed.get(above);
      if (reason !== undefined) readings.push(...unjudgedAt(expectation, reason));
      continue;
    }
    const { found, isClosed, unreadable } = placeReading(comparison, expectation);
    readings.push(...found);
    if (isClosed) closed.set(expectation.place, unreadable);
  }
  return readings;
}

function placeReading(comparison: Comparison, expectation: Expectation): PlaceReading {
  const { schema, view } = comparison;
  const { place, presence, requirement } = expectation;
  const named = describedAt(schema, place, view);
  const unreadable = hiddenAt(comparison, named, "all");
  if (unreadable !== undefined)
    return { found: unjudgedAt(expectation, unreadable), isClosed: true, unreadable };
  if (presence === "absent") {
    const at = memberPlaceAt(comparison, place);
    const actual = `a member ${nameOf(place)}`;
    const found =
      at === undefined ? [] : [contradicts(requirement, at, actual, "must not have it")];
    return { found, isClosed: true };
  }
  if (named.length === 0)
    return { found: missingReadings(comparison, expectation), isClosed: true };
  const refused = refusedReading(comparison, expectation);
  if (refused !== undefined) return { found: [refused], isClosed: true };
  const types = typeReadings(comparison, expectation, named);
  const found = [
    ...types.found,
    ...omissionReadings(comparison, expectation),
    ...valueReadings(comparison, expectation, named),
    ...presenceNotes(comparison, expectation),
  ];
  return { found, isClosed: types.isClosed };
}

/**
 * Returns why something at these schemas cannot be judged: a keyword in them is not valid.
 * Undefined if all of it can be judged.
 */
function hiddenAt(
  { exact }: Comparison,
  schemas: readonly Place[],
  hides: "all" | "values",
): string | undefined {
  const keys = new Set(schemas.map(keyOf));
  const hiding = exact.uncompared.find((one) => one.hides === hides && keys.has(keyOf(one.schema)));
  return hiding === undefined
    ? undefined
    : `${lineText(hiding.at)}: ${hiding.text}, so what depends on it is not judged`;
}

function unjudgedAt(expectation: Expectation, reason: string): readonly RequirementReading[] {
  return requirementsOf(expectation).map((requirement) => unjudged(requirement, reason));
}

function requirementsOf({
  requirement,
  wrong,
  omitted,
  values,
}: Expectation): readonly RequirementId[] {
  return [
    ...new Set([
      requirement,
      ...[...wrong, ...values].map((one) => one.requirement),
      ...(omitted ? [omitted.requirement] : []),
    ]),
  ];
}

/**
 * Returns what is wrong where no schema names a member: the member has another name, is excluded,
 * or is left out.
 */
function missingReadings(
  comparison: Comparison,
  expectation: Expectation,
): readonly RequirementReading[] {
  const { schema, view, isRequest, relaxed, expectations } = comparison;
  const { place, presence, requirement, type, right } = expectation;
  const parent = parentOf(place);
  const around = describedAt(schema, parent, view);
  const members = membersOf(around);
  if (members.size === 0) return [];
  const known = new Set(
    expectations.filter((one) => parentOf(one.place) === parent).map((one) => nameOf(one.place)),
  );
  const others = new Map([...members].filter(([name]) => !known.has(name)));
  const name = nameOf(place);
  const near = nearestMember(name, type, others, view);
  if (near !== undefined) {
    const isLess = presence === "optional";
    return [
      contradicts(requirement, near.at, `found ${near.name}`, `expected ${name}`, { isLess }),
    ];
  }
  const isStated = presence === "stated";
  const excluding = isStated ? undefined : excludingFault(relaxed, right[0], place);
  if (excluding !== undefined) {
    const actual = `${excluding.keyword} is false, and ${name} is not among the members`;
    return [contradicts(requirement, excluding.place, actual, `must allow ${name} (${type})`)];
  }
  if (presence === "optional" && !isRequest) return [];
  const at = keywordAt(around, "properties") ?? schema;
  return [
    contradicts(requirement, at, `no member ${name}`, `must have ${name} (${type})`, {
      isLess: !isStated,
    }),
  ];
}

/**
 * Returns the fault of `additionalProperties` or `unevaluatedProperties` if one of them excludes
 * the member at a place of a right body, and undefined if none does.
 */
function excludingFault(
  { faultsOf }: CompiledSchema,
  rightBody: Json,
  place: string,
): Fault | undefined {
  return faultsOf(rightBody).find(
    ({ at, keyword }) => at === place && keyword.endsWith("Properties"),
  );
}

/**
 * Returns a contradiction if the schema refuses every right value, even without the limits of the
 * server. Returns undefined if it allows one.
 */
function refusedReading(
  comparison: Comparison,
  { place, requirement, right, type }: Expectation,
): RequirementReading | undefined {
  const refusals = right.map((body) => faultsAt(comparison, comparison.relaxed, body, place));
  const isAllowed = refusals.some((faults) => faults.length === 0);
  if (isAllowed) return undefined;
  const [first = []] = refusals;
  const fault = firstOf(first);
  if (fault === undefined) return undefined;
  const expected = fault.keyword === "format" ? formatText(fault, type) : `must be ${type}`;
  return contradicts(requirement, fault.place, faultText(fault, first), expected);
}

function formatText({ place }: Fault, type: string): string {
  if (type === "number") return `amounts need double`;
  return /created_at/.test(place.pointer) ? "must be date-time" : `must be any ${type}`;
}

/**
 * Judges whether the schema allows values of wrong types. If it allows all of them, it does not
 * describe the place, which is only noted.
 */
function typeReadings(
  comparison: Comparison,
  expectation: Expectation,
  named: readonly Place[],
): PlaceReading {
  const { relaxed, title } = comparison;
  const { place, wrong, type, requirement } = expectation;
  const allowed = wrong.filter(({ body }) => allowsAt(relaxed.faultsOf(body), place));
  const hasMembers = named.some(
    ({ value }) => isObject(value) && ("properties" in value || "items" in value),
  );
  if (wrong.length > 1 && allowed.length === wrong.length)
    return {
      found: [noted("Not described", `${place || "the body"} of ${title}`)],
      isClosed: !hasMembers,
    };
  const actual = `type is ${typesText([type, ...allowed.map((one) => one.type)])}`;
  const keywords = allowed.some((one) => one.type === "null")
    ? ["nullable", "anyOf", "oneOf", "type"]
    : ["anyOf", "oneOf", "type"];
  const at = keywordAt(named, ...keywords) ?? comparison.schema;
  const wrongIds = new Set(allowed.map((one) => one.requirement));
  const rightIds = new Set(
    [requirement, ...wrong.map((one) => one.requirement)].filter((id) => !wrongIds.has(id)),
  );
  return {
    found: [
      ...[...wrongIds].map((id) => contradicts(id, at, actual, `must be ${type}`)),
      ...[...rightIds].map((id) => held(id)),
    ],
    isClosed: false,
  };
}

/** Types in words: `string, number or null`. */
function typesText(types: readonly string[]): string {
  const all = new Set(types.flatMap((type) => type.split(" or ")).filter((type) => type !== ""));
  if (all.has("number")) all.delete("integer");
  return alternatives([...all]);
}

/** Judges whether the schema requires a member that a request must have. */
function omissionReadings(
  comparison: Comparison,
  { place, omitted }: Expectation,
): readonly RequirementReading[] {
  if (omitted === undefined) return [];
  if (!allowsAt(comparison.relaxed.faultsOf(omitted.body), place))
    return [held(omitted.requirement)];
  const around = describedAt(comparison.schema, parentOf(place), comparison.view);
  const at = keywordAt(around, "required") ?? comparison.schema;
  return [
    contradicts(
      omitted.requirement,
      at,
      `${nameOf(place)} is not in required`,
      "must be in required",
    ),
  ];
}

/** Judges whether the limits of the schema exclude values that the specification states. */
function valueReadings(
  comparison: Comparison,
  { place, values }: Expectation,
  named: readonly Place[],
): readonly RequirementReading[] {
  const hidden = hiddenAt(comparison, named, "values");
  return values.map(({ requirement, bodies, text, isPair }): RequirementReading => {
    const refusals = bodies.map((body) => faultsAt(comparison, comparison.exact, body, place));
    const isAllowed = refusals.some((faults) => faults.length === 0);
    const hasOwnPairs =
      isPair === true && refusals.flat().some(({ listed }) => listed.some(hasFormOfPair));
    const [first = []] = refusals;
    const fault = firstOf(first);
    if (!isAllowed && !hasOwnPairs && fault !== undefined)
      return contradicts(requirement, fault.place, faultText(fault, first), `must allow ${text}`);
    return hidden === undefined ? held(requirement) : unjudged(requirement, hidden);
  });
}

function hasFormOfPair(value: Json): boolean {
  return typeof value === "string" && /^[A-Z]{6}$/.test(value);
}

/**
 * Returns a note if the schema does not require a member that every right response has: readers of
 * the document cannot rely on the member.
 */
function presenceNotes(
  comparison: Comparison,
  { place, presence, right }: Expectation,
): readonly RequirementReading[] {
  if (comparison.isRequest || presence === "optional" || place === "") return [];
  const faults = comparison.exact.faultsOf(withValue(right[0], place, undefined));
  return allowsAt(faults, place) ? [noted("Not required in responses", place)] : [];
}

/**
 * Returns a contradiction for each member that the document requires in requests although the
 * specification does not know it, because right requests lack it. In a batch it is only noted,
 * because the members of a batch besides its pair are not shown (specification, Endpoints, 5).
 */
function unknownRequired(comparison: Comparison): readonly RequirementReading[] {
  const { isRequest, schema, expectations, places, version, required } = comparison;
  if (!isRequest) return [];
  const objects = expectations.filter(({ right: [body], place }) => isObject(valueAt(body, place)));
  const isOpen = required === "may be others";
  return objects.flatMap(({ place, requirement }) =>
    describedAt(schema, place, { version, isCertain: true }).flatMap((one) => {
      const list = childOf(one, "required");
      if (!Array.isArray(list?.value)) return [];
      return list.value.flatMap((name: Json, index): readonly RequirementReading[] => {
        const isKnown = typeof name !== "string" || places.has(`${place}/${name}`);
        if (isKnown || isOfOtherSide(one, name, true, version)) return [];
        const at = childOf(list, String(index)) ?? list;
        if (isOpen && place === "") return [openAt(at, `requires ${name} in the body`)];
        return [
          contradicts(
            requirement,
            at,
            `requires ${name}`,
            "must not: the specification has no such member",
          ),
        ];
      });
    }),
  );
}

/**
 * Returns the faults of a body at a place. A fault of a member without an expectation of its own
 * counts at the object around the member.
 */
function faultsAt(
  { places }: Comparison,
  { faultsOf }: CompiledSchema,
  body: Json,
  place: string,
): readonly Fault[] {
  return faultsOf(body).filter(({ at }) => place === (places.has(at) ? at : parentOf(at)));
}

/**
 * Returns the fault to show: one inside an alternative if there is any, because it says more than
 * the fault that no alternative fits.
 */
function firstOf(faults: readonly Fault[]): Fault | undefined {
  return faults.find(({ keyword }) => !["allOf", "anyOf", "oneOf"].includes(keyword)) ?? faults[0];
}

/** What stands in the document, in its own words: `type is number`, or `enum is ["PENDING"]`. */
function faultText({ keyword, place }: Fault, all: readonly Fault[]): string {
  const { value } = place;
  if (keyword === "type") {
    const types = all
      .filter((fault) => fault.keyword === "type")
      .flatMap((fault) => [fault.place.value].flat());
    const names = types.filter((type) => typeof type === "string");
    // If the schema has no `type`, the fault is at its list of values.
    const isList = names.length < types.length;
    return isList ? `the value is one of ${shortJson(value)}` : `type is ${typesText(names)}`;
  }
  if (keyword === "format")
    return `format is ${typeof value === "string" ? value : shortJson(value)}`;
  return `${keyword} is ${shortJson(value)}`;
}

function memberPlaceAt({ schema, view }: Comparison, place: string): Place | undefined {
  return membersOf(describedAt(schema, parentOf(place), view)).get(nameOf(place));
}

const nameOf = (place: string): string => partsOf(place).at(-1) ?? "the body";

const parentOf = (place: string): string => place.slice(0, place.lastIndexOf("/"));
