import { bounds } from "../../../model/bounds.ts";
import { classOf, valueAt, isObject, memberOf, type Json } from "../../../spec/json.ts";
import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { holds, type Judgement, rounded } from "../../../model/mistake.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { SchemaFault } from "../response-schemas.ts";
import { decimalsOf } from "../../../model/request-facts.ts";
import { starred, successes, type MemberFact, type TypedPlace } from "./successes.ts";
import type { Mistake } from "../../../model/run.ts";
import { batchesIn, elementsOf } from "../observations.ts";
import { mayBeEarlier } from "./distinct-ids.ts";
import { isOfInvalidOperation, isOfInvalidRequest } from "../known-ids.ts";
import { apartText, shown, type RuleContext, type Rule } from "./rule.ts";
import {
  brokenMember,
  brokenResponse,
  brokenStatus,
  otherSpelling,
  type WrongMember,
} from "./words.ts";

/**
 * Judges the members of a success by the table in `successes.ts`. If the request was invalid, it
 * judges only whether the success reports a failure, and whether texts are still texts.
 */
export const members: Rule = {
  judges: "unexempt",
  create: (known) => ({
    judge: (exchange) => {
      if (!isSuccess(exchange)) return [];
      if (exchange.intent.kind === "invalid")
        return [...reportedFailure(exchange), ...lostTexts(exchange, known)];
      const status = judgeStatus(exchange, known);
      return exchange.json === undefined ? status : [...status, ...judgeBody(exchange, known)];
    },
  }),
};

function judgeBody(exchange: Exchange, known: RuleContext): readonly Judgement[] {
  const read = withListInPlace(exchange);
  const { judgements, kept } = judgeFacts(read, known);
  const inPlace = [...schemaViolations(read, known), ...judgements];
  // If the body is a list without an object around it, this is one mistake: it is not also reported
  // that count and total are missing.
  const violations =
    read === exchange
      ? inPlace
      : [...schemaViolations(exchange, known), ...inPlace.filter(isInList)];
  const hurt = new Set(violations.map(({ requirement }) => requirement));
  const held = kept.filter((requirement) => !hurt.has(requirement));
  return [...violations, ...held.map(holds)];
}

function isInList({ violation }: Judgement): boolean {
  return violation?.pointer?.startsWith("/batches/") === true;
}

/**
 * The exchange, with an object around the list of batches if the list is itself the body, so that
 * the batches are judged (INT-48).
 */
function withListInPlace(exchange: Exchange): Exchange {
  const { operation, json } = exchange;
  if (operation !== "listBatches" || !Array.isArray(json)) return exchange;
  const batches = batchesIn(json);
  return batches === undefined ? exchange : { ...exchange, json: { batches } };
}

/**
 * Judges the status of a success. It may differ from the stated one if the server returns an
 * earlier batch again, because then it created nothing.
 */
function judgeStatus(exchange: Exchange, { ids }: RuleContext): readonly Judgement[] {
  const { operation, json, response } = exchange;
  const stated = successes[operation].status;
  if (stated === undefined) return [];
  const id = memberOf(json, "id");
  const isAgain = operation === "createBatch" && typeof id === "string" && ids.known("batch", id);
  return response.status === stated.is || isAgain
    ? [holds(stated.requirement)]
    : [
        brokenStatus(
          exchange,
          stated.requirement,
          `status ${stated.is}`,
          `status ${response.status}`,
        ),
      ];
}

/**
 * Judges the success of an invalid request: if its body has members, but not the one that every
 * success has, the success reports a failure (INT-05).
 */
function reportedFailure(exchange: Exchange): readonly Judgement[] {
  const { operation, json, response } = exchange;
  const first = successes[operation].facts.find(
    ({ isNeeded, value }) => isNeeded && value === undefined,
  );
  const names = isObject(json) ? Object.keys(json) : [];
  if (first === undefined || names.length === 0 || isNamed(memberOf(json, first.at.slice(1))))
    return [];
  if (otherSpelling(first.at.slice(1), json) !== undefined) return [];
  return [
    brokenResponse(exchange, first.requirement, "a success that reports a failure", {
      expected: `a refusal: ${operation === "createOperation" ? "status 400, or 401 for a bad token" : "a 4xx status"}, and a JSON object with a string message`,
      actual: `status ${response.status} with ${shown(json)}`,
      pointer: first.at,
      mistake: {
        kind: "accepted",
        of: "an error",
        expected: "refused",
        actual: `a success without ${first.at}`,
      },
    }),
  ];
}

/**
 * Judges the texts that a server may store in another form: each must still be a text, and neither
 * null nor a number (INT-07).
 */
function lostTexts(exchange: Exchange, known: RuleContext): readonly Judgement[] {
  if (exchange.intent.kind !== "invalid" || exchange.intent.mayBeAltered !== true) return [];
  return schemaViolations(exchange, known).filter(
    ({ violation }) => typeof valueAt(exchange.request.json, violation?.pointer ?? "") === "string",
  );
}

/**
 * Whether a member has a value. Programs write an absent value as null, as an empty text or as
 * zero.
 */
function isNamed(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && value !== 0;
}

/**
 * Judges types, required members and date-times of successful responses by the schema, at any depth
 * (INT-07 to INT-09).
 */
function schemaViolations(exchange: Exchange, known: RuleContext): readonly Judgement[] {
  const { schema, types, facts } = successes[exchange.operation];
  const { json } = exchange;
  if (schema === undefined || json === undefined) return [];
  // A fault is not reported here if a row of the table states the one right value of the member:
  // then that row reports it.
  const hasValue = (pointer: string): boolean =>
    facts.some(({ at, value }) => at === pointer && value !== undefined);
  return known.schemas
    .faultsIn(schema, json)
    .filter(({ pointer }) => !hasValue(pointer) && !leadsIntoOurs(json, pointer, known))
    .map((fault) => schemaViolation(exchange, fault, types, known));
}

function schemaViolation(
  exchange: Exchange,
  { pointer, keyword, expected }: SchemaFault,
  types: readonly TypedPlace[],
  known: RuleContext,
): Judgement {
  const row = typedAt(types, pointer);
  if (row === undefined)
    throw new Error(`No requirement speaks of ${pointer} in ${exchange.operation}`);
  const found = keyword === "format" ? "another text" : undefined;
  const mistake = isNullForAbsent(exchange, pointer, known)
    ? nullForAbsent
    : typeMistake(exchange, pointer, expected, keyword);
  const wrong = {
    requirement: row.requirement,
    at: pointer,
    rule: `is ${expected}`,
    found,
    mistake,
  };
  return brokenMember(exchange, wrong, known);
}

/** The mistake of a server that writes null for every member which a client left out. */
const nullForAbsent = {
  kind: "null",
  of: "",
  expected: "left out",
  actual: "null",
  kin: [],
} as const satisfies Mistake;

/**
 * Whether null stands for a member of a counterparty that the client left out. An operation shows
 * the banks of its counterparty, so null among their members counts, too.
 */
function isNullForAbsent(
  { operation, json, request }: Exchange,
  pointer: string,
  { schemas }: RuleContext,
): boolean {
  const { schema } = successes[operation];
  if (schema === undefined || valueAt(json, pointer) !== null) return false;
  if (schemas.placeIn(schema, pointer)?.isRequired !== false) return false;
  return operation === "createCounterparty"
    ? (valueAt(request.json, pointer) ?? null) === null
    : /\/(?:bank_account|intermediary_bank)(?:\/|$)/.test(pointer);
}

/**
 * The mistake for a value of a wrong type. All ids that are numbers share one, whatever their
 * names; a time without a zone has its own. Undefined if there is no value.
 */
function typeMistake(
  { json, operation }: Exchange,
  pointer: string,
  expected: string,
  keyword: string,
): WrongMember["mistake"] {
  const value = valueAt(json, pointer);
  if (value === undefined) return undefined;
  if (pointer === "" && operation === "listBatches" && Array.isArray(value))
    return { kind: "top list", of: "", kin: ["BATCH-21", "BATCH-22"] };
  const name = pointer.slice(pointer.lastIndexOf("/") + 1);
  if (typeof value === "number" && (name === "id" || name.endsWith("_id")))
    return { kind: "type", of: "ids", expected: "a string", actual: "a number" };
  const isText = typeof value === "string" && keyword !== "type";
  return { kind: "type", expected, actual: isText ? textClass(value) : classOf(value) };
}

/** What a text is that is no date-time. */
const textClass = (text: string): string =>
  /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text) ? "a time without a zone" : "another text";

/** The row of the table that covers the type of a place. Undefined if no row does. */
export function typedAt(types: readonly TypedPlace[], pointer: string): TypedPlace | undefined {
  const at = starred(pointer);
  return types.find((one) => at.startsWith(`${one.at}/`) || (at === one.at && !one.isInside));
}

/** Whether an invalid request of ours may have made an element of a list (INT-12, INT-40). */
function isOurs(
  list: string | number | undefined,
  element: Json | undefined,
  { ids }: RuleContext,
): boolean {
  return list === "batches" ? isOfInvalidRequest(element, ids) : isOfInvalidOperation(element, ids);
}

/** Whether a pointer leads into an element that an invalid request of ours may have made. */
function leadsIntoOurs(json: Json, pointer: string, known: RuleContext): boolean {
  const parts = pointer.split("/");
  return parts.some(
    (part, index) =>
      /^\d+$/.test(part) &&
      isOurs(parts[index - 1], valueAt(json, parts.slice(0, index + 1).join("/")), known),
  );
}

/** A value in a body, with the object or list around it. The body itself has nothing around it. */
interface BodyValue {
  readonly value: Json | undefined;
  readonly name: string | number;
  readonly around?: BodyValue | undefined;
}

/**
 * Finds the values at the places of the table in a body, without what invalid requests of ours may
 * have made. Each place is looked for once, so that one walk through a list serves all its rows.
 */
function valuesIn({ operation, json }: Exchange, known: RuleContext) {
  const found = new Map<string, readonly BodyValue[]>([["", [{ value: json, name: "" }]]]);
  const insideOf = (around: BodyValue, name: string): readonly BodyValue[] => {
    const { value } = around;
    if (name === "*")
      // An element that is no object has no members. The schema judges its type.
      return elementsOf(value).flatMap((one, index) =>
        isObject(one) && !isOurs(around.name, one, known)
          ? [{ value: one, name: index, around }]
          : [],
      );
    // The wrong type of what is around a member is a violation already, but for the response to an
    // ACAM item, which has no schema.
    const isThere = isObject(value) || operation === "addAcamItem";
    return isThere ? [{ value: memberOf(value, name), name, around }] : [];
  };
  const valuesAt = (at: string): readonly BodyValue[] => {
    const before = found.get(at);
    if (before !== undefined) return before;
    const end = at.lastIndexOf("/");
    const values = valuesAt(at.slice(0, end)).flatMap((one) => insideOf(one, at.slice(end + 1)));
    found.set(at, values);
    return values;
  };
  return valuesAt;
}

/**
 * Judges the facts of the table. `kept`: the requirements that hold unless there is a violation,
 * because the body has a right value for a fact, or any value at the place of a type.
 */
function judgeFacts(exchange: Exchange, known: RuleContext) {
  const { types, facts } = successes[exchange.operation];
  const isEarlier = mayBeEarlier(exchange, known);
  const valuesAt = valuesIn(exchange, known);
  const kept = new Set<RequirementId>();
  const judgements: Judgement[] = [];
  for (const { requirement, at, isInside } of types)
    if (valuesAt(at).some(({ value }) => (isInside ? isObject(value) : value !== undefined)))
      kept.add(requirement);
  for (const fact of facts.filter(({ repeats }) => repeats === undefined || !isEarlier)) {
    const readings = valuesAt(fact.at).map((found) => readingOf(fact, found, exchange));
    if (readings.includes("right")) kept.add(fact.requirement);
    const wrong = readings.filter((one) => typeof one === "object").slice(0, bounds.violations);
    judgements.push(...wrong.map((member) => brokenMember(exchange, member, known)));
  }
  return { judgements, kept: [...kept] };
}

function pointerOf({ name, around }: BodyValue): string {
  return around === undefined ? "" : `${pointerOf(around)}/${name}`;
}

/** How a value compares with a row of the table. Undefined: there is nothing to judge. */
type FactReading = "right" | WrongMember | undefined;

function readingOf(fact: MemberFact, found: BodyValue, exchange: Exchange): FactReading {
  const { value } = found;
  const { repeats, isRight } = fact;
  if (repeats !== undefined) return echoReading(fact.requirement, repeats, found, exchange);
  const verdict = isRight === undefined ? isAsStated(fact, value) : isRight(value);
  if (verdict !== false) return verdict && "right";
  return {
    ...fact,
    at: pointerOf(found),
    found: fact.found?.(value),
    actual: fact.actual?.(value),
  };
}

/**
 * False if a needed member is absent, or if a member that is present differs from the value that is
 * stated for it.
 */
function isAsStated(fact: MemberFact, value: Json | undefined): boolean {
  if (value === undefined) return fact.isNeeded !== true;
  return fact.value === undefined || value === fact.value;
}

/**
 * Judges whether a member repeats the value that was sent (INT-09, INT-18, INT-25, INT-27). A value
 * of another type is left to the schema.
 */
function echoReading(
  requirement: RequirementId,
  repeats: string,
  found: BodyValue,
  { intent, request }: Exchange,
): FactReading {
  const { value } = found;
  const sent = memberOf(request.json, repeats);
  if (sent === undefined || value === undefined || classOf(sent) !== classOf(value))
    return undefined;
  const isFree = (pointer: string): boolean =>
    intent.kind !== "valid" && intent.alterable?.includes(pointer) === true;
  const difference = differenceOf(sent, value, pointerOf(found), isFree);
  if (difference === undefined) return "right";
  return {
    requirement,
    at: difference.pointer,
    rule: "as sent",
    note: whereText(difference),
    mistake: { kind: "echo", actual: echoClass(difference) },
  };
}

/** In which way a returned value differs from the value that was sent. */
function echoClass({ before, after }: MemberDifference): string {
  if (after === undefined) return "left out";
  const other = `another value: ${classOf(after)}`;
  if (typeof before !== "number" || typeof after !== "number") return other;
  return isRounded(before, after) ? rounded : other;
}

/**
 * Whether rounding can have made one amount of another: decimals are cut off, the last one is off
 * by one because digits were cut off before, or the amount was held in single precision.
 */
function isRounded(before: number, after: number): boolean {
  const gap = Math.abs(before - after);
  const [sent, returned] = [decimalsOf(before), decimalsOf(after)];
  const isCut = returned < sent && gap < 10 ** -returned;
  const isOffByOne = returned <= sent && sent > 0 && gap < 1.01 * 10 ** -sent;
  return isCut || isOffByOne || gap <= Math.abs(before) * singlePrecision;
}

const singlePrecision = 2 ** -23;

interface MemberDifference {
  readonly pointer: string;
  readonly before: Json;
  readonly after: Json | undefined;
  /** The member as which the value came back. */
  readonly movedTo?: string | undefined;
}

function whereText({ before, after, movedTo }: MemberDifference): string {
  if (movedTo !== undefined) return ` (its value comes back as ${movedTo})`;
  return apartText(before, after);
}

/**
 * The first difference between a value that was sent and the value that came back. Undefined if
 * there is none. The response may add members.
 */
function differenceOf(
  before: Json,
  after: Json,
  pointer: string,
  isFree: (pointer: string) => boolean,
): MemberDifference | undefined {
  if (isFree(pointer)) return undefined;
  if (isObject(before) && isObject(after)) {
    for (const [name, inner] of Object.entries(before)) {
      const other = memberOf(after, name);
      if (other === undefined && !isFree(`${pointer}/${name}`))
        return {
          pointer: `${pointer}/${name}`,
          before: inner,
          after: other,
          movedTo: Object.keys(after).find(
            (key) => memberOf(before, key) === undefined && memberOf(after, key) === inner,
          ),
        };
      if (other === undefined) continue;
      if (classOf(other) !== classOf(inner)) continue;
      const found = differenceOf(inner, other, `${pointer}/${name}`, isFree);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return before === after ? undefined : { pointer, before, after };
}
