import { classOf, valueAt, isObject, memberOf, type Json } from "../../../spec/json.ts";
import {
  messageOf,
  isRefusal,
  isSuccess,
  type Exchange,
  issuedToken,
} from "../../../model/exchange.ts";
import { changeOf, requestText, type Intent } from "../../../model/request.ts";
import { type Judgement, type Violation, broken, noCrash } from "../../../model/mistake.ts";
import { requirementOf, type RequirementId } from "../../../spec/catalogue.ts";
import { operations, operationTitle } from "../../../spec/operations.ts";
import { starred, successes, type MemberFact } from "./successes.ts";
import { shown, titleOf, type RuleContext } from "./rule.ts";
import { mayBeEarlier } from "./distinct-ids.ts";
import { groups } from "../../../model/groups.ts";
import { listed } from "../../../model/plural.ts";
import type { Mistake } from "../../../model/run.ts";
import { credentialRequirements, inputKinds } from "../../../spec/refusals.ts";

/**
 * A member that breaks a requirement. `at` is its JSON pointer, which is empty for the body itself.
 */
export interface WrongMember extends Pick<MemberFact, "requirement" | "at" | "rule"> {
  readonly place?: string | undefined;
  /** The kind of the value that was found, as the mistake names it. @defaultValue its JSON type */
  readonly found?: string | undefined;
  /** What was found, in words, if the value itself must not be shown. */
  readonly actual?: string | undefined;
  /**
   * The kind of the mistake and what else differs in it, if the mistake is not simply a wrong
   * value.
   */
  readonly mistake?: (Pick<Mistake, "kind"> & Partial<Mistake>) | undefined;
  /** Words that follow the place and say where the expected and the actual value differ. */
  readonly note?: string;
}

/**
 * The judgement that a member is wrong. What the finding expects follows from all requirements on
 * the place, not only from the broken one.
 */
export function brokenMember(
  exchange: Exchange,
  wrong: WrongMember,
  known: RuleContext,
): Judgement {
  const { requirement, at, rule, note = "" } = wrong;
  const place = wrong.place ?? (at === "" ? "the body" : starred(at));
  const value = valueAt(exchange.json, at);
  const around = valueAt(exchange.json, at.slice(0, at.lastIndexOf("/")));
  const where = `${at === "" ? place : placeText(exchange.json, at)}${note}`;
  const kind = wrong.found ?? classOf(value);
  return broken(requirement, {
    message: `${titleOf(exchange)}: ${place} is not ${rule.replace(/^(is|=) /, "")}.`,
    expected: adviceAt(exchange, at, known),
    actual: wrong.actual ?? foundText(where, value, around, nameAt(at)),
    pointer: at,
    mistake: mistakeOf(wrong, value, around, kind),
  });
}

/**
 * What stands at a place, in words. The rest of the body is left out, because a report shows the
 * response as well. A member that stands under another name is shown with that name.
 */
function foundText(
  placed: string,
  value: Json | undefined,
  around: Json | undefined,
  name: string,
): string {
  if (value !== undefined) {
    const text = shown(value);
    const isShown = typeof value !== "object" || text.length <= shortBody;
    return isShown ? `${placed} = ${text}` : `${placed} is ${classOf(value)}`;
  }
  const text = shown(around);
  if (text.length <= shortBody) return `${placed} is absent in ${text}`;
  const other = otherSpelling(name, around)?.name;
  return `${placed} is absent${other === undefined ? "" : `, and there is ${other}`}`;
}

/** An object or list whose text has up to this many characters is shown whole. */
const shortBody = 120;

/**
 * The mistake of a wrong member. It is the same wherever the member stands. If the member stands
 * there in another spelling, such as camelCase, the mistake names only that spelling and is the
 * same for all members.
 */
function mistakeOf(
  { at, rule, mistake }: WrongMember,
  value: Json | undefined,
  around: Json | undefined,
  found: string,
): Mistake {
  const name = nameAt(at);
  const token = at === "/token" && value === undefined ? issuedToken(around) : undefined;
  if (token !== undefined)
    return { kind: "token name", of: "token", expected: "token", actual: token.name };
  const spelling = value === undefined ? otherSpelling(name, around)?.spelling : undefined;
  if (spelling !== undefined)
    return { kind: "spelling", of: "", expected: "snake_case", actual: spelling };
  const plain = {
    kind: "value",
    of: name,
    expected: rule.replace(/^is /, ""),
    actual: found,
    kin: kinOf(name),
  } as const;
  return { ...plain, ...(value === undefined && { kind: "missing", actual: "" }), ...mistake };
}

function nameAt(pointer: string): string {
  return starred(pointer).slice(starred(pointer).lastIndexOf("/") + 1);
}

/** The requirements on members of this name, wherever they stand. */
function kinOf(name: string): readonly RequirementId[] {
  return /^\w/.test(name) ? (kin.get(name) ?? []) : [];
}

const kin: ReadonlyMap<string, readonly RequirementId[]> = new Map(
  [
    ...groups(
      Object.values(successes).flatMap(({ types, facts }) => [...types, ...facts]),
      ({ at }) => nameAt(at),
    ),
  ].map(([name, rows]) => [name, [...new Set(rows.map(({ requirement }) => requirement))]]),
);

/**
 * The name under which an object has a member that is missing under its right name, and the
 * spelling of that name, such as `camelCase`. Undefined if the object has no such name.
 */
export function otherSpelling(
  name: string,
  around: Json | undefined,
): { readonly spelling: string; readonly name: string } | undefined {
  if (!isObject(around) || !name.includes("_")) return undefined;
  for (const spelt of Object.keys(around)) {
    const spelling = strategyOf(spelt, name);
    if (spelling !== undefined) return { spelling, name: spelt };
  }
  return undefined;
}

/** The strategy that makes one name out of another in snake_case. Undefined if none does. */
export function strategyOf(found: string, wanted: string): string | undefined {
  const words = wanted.split("_");
  const capitals = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  const names = {
    camelCase: [...words.slice(0, 1), ...capitals.slice(1)].join(""),
    PascalCase: capitals.join(""),
    "kebab-case": words.join("-"),
    "capital letters": wanted.toUpperCase(),
    "small letters without underscores": words.join(""),
  };
  return Object.entries(names).find(([, name]) => name === found)?.[0];
}

/**
 * The judgement that a response as a whole breaks a requirement. `what` says what the operation
 * answers with, in the message of the finding.
 */
export function brokenResponse(
  { operation, intent }: Pick<Exchange, "operation" | "intent">,
  requirement: RequirementId,
  what: string,
  violation: Omit<Violation, "message">,
): Judgement {
  return broken(requirement, {
    message: `${operationTitle(operation)} answers with ${what} to ${requestText(intent)}.`,
    ...violation,
  });
}

/**
 * The judgement that a response has another status than the expected one. A crash is one mistake,
 * whatever status was expected.
 */
export function brokenStatus(
  exchange: Exchange,
  requirement: RequirementId,
  expected: string,
  actual = `status ${saidBy(exchange)}`,
): Judgement {
  const { status } = exchange.response;
  return brokenResponse(exchange, requirement, `${status}`, {
    expected: expected === "a 4xx status" ? `a refusal: ${expected}` : expected,
    actual,
    mistake: statusMistake(exchange, requirement, expected),
  });
}

/**
 * The status and, for a refusal, the words of the server: its message if the body holds nothing
 * else, or else the whole body. The body of a success is left out, because it does not say why the
 * request succeeded.
 */
function saidBy(exchange: Exchange): string {
  const { json, response } = exchange;
  if (isSuccess(exchange)) return `${response.status}`;
  const isMessage = isObject(json) && Object.keys(json).join() === "message";
  return json === undefined || isMessage
    ? messageOf(exchange)
    : `${response.status} with ${shown(json)}`;
}

/**
 * The mistake of a wrong status. Crashes, and invalid requests that are accepted, are one mistake
 * for each kind of input. Any other wrong status is one mistake for each operation, or, if the
 * credentials are bad, for each kind of credentials.
 */
function statusMistake(exchange: Exchange, requirement: RequirementId, expected: string): Mistake {
  const { intent, operation, response } = exchange;
  const actual = `${response.status}`;
  const input = inputOf(intent);
  if (response.status >= 500 && response.status < 600)
    return { kind: "crash", of: changeOf(intent), expected: noCrash, actual };
  const { credential } = operations[operation];
  const of = input === inputKinds.credentials ? (`${credential}s` as const) : undefined;
  if (isSuccess(exchange) && intent.kind === "invalid")
    return {
      kind: "accepted",
      of: of ?? input,
      expected: "refused",
      actual: "accepted",
      // A good token that is accepted in an unusual form says nothing of bad ones.
      ...(of !== undefined &&
        requirementOf(requirement).level === "MUST" && { kin: credentialRequirements(credential) }),
    };
  const must = expected.replace(/^status /, "");
  if (isSuccess(exchange)) return { kind: "status", of: operation, expected: must, actual };
  return { kind: "refusal", of: of ?? operation, expected: must, actual };
}

/**
 * What is wrong or unusual about a request; empty if it is valid. An odd text gives the same words
 * in whichever member it stands.
 */
export function inputOf(intent: Intent): string {
  if (intent.kind === "valid") return "";
  return intent.input ?? (intent.odd === undefined ? intent.change : `with ${intent.odd}`);
}

/**
 * What would be right at a place of a success, by all requirements on the place. In `pointer`, a
 * star may stand for the index of an element.
 */
function adviceAt(exchange: Exchange, pointer: string, known: RuleContext): string {
  const { operation, json } = exchange;
  if (pointer === "") return `the body is ${bodyText(exchange)}`;
  const at = starred(pointer);
  const { schema: name, facts } = successes[operation];
  const own = facts.filter((fact) => fact.at === at);
  const schema = name && known.schemas.placeIn(name, pointer);
  const value = valueOf(exchange, pointer, own, known);
  const isOneValue = value !== undefined && !isObject(value);
  const advice = isOneValue
    ? `${pointer} = ${shown(value)}`
    : `${pointer} is ${typeText(own, schema?.text, withNeeded(facts, at), isObject(value))}`;
  const mayBeAbsent = !own.some(({ isNeeded }) => isNeeded) && schema?.isRequired === false;
  if (valueAt(json, pointer) !== null || !mayBeAbsent) return advice;
  return `${advice}, or the member left out`;
}

/** The right kind of value, in the words of a row or else by the type in the schema. */
function typeText(
  own: readonly MemberFact[],
  type: string | undefined,
  members: string,
  isRepeated: boolean,
): string {
  const stated = own.find(({ right }) => right !== undefined)?.right;
  if (stated !== undefined) return stated;
  return `${type ?? "present"}${members}${isRepeated ? " as it was sent" : ""}`;
}

/**
 * What the body of a response should be, whatever else is wrong with the response: `a JSON object
 * with id`.
 */
export function bodyText(exchange: Exchange): string {
  if (isSuccess(exchange))
    return `a JSON object${withNeeded(successes[exchange.operation].facts, "")}`;
  return isRefusal(exchange) ? "a JSON object with a string message" : "a JSON text";
}

/** The members that an object must have, in words: ` with count and total`. */
function withNeeded(facts: readonly MemberFact[], at: string): string {
  const names = facts
    .filter(({ isNeeded }) => isNeeded)
    .filter((fact) => fact.at.slice(0, fact.at.lastIndexOf("/")) === at)
    .map((fact) => fact.at.slice(at.length + 1));
  return names.length === 0 ? "" : ` with ${listed(names)}`;
}

function valueOf(
  exchange: Exchange,
  pointer: string,
  own: readonly MemberFact[],
  known: RuleContext,
): Json | undefined {
  const stated = own.find(({ value }) => value !== undefined)?.value;
  if (stated !== undefined) return stated;
  const [, first, ...rest] = pointer.split("/");
  const echo = successes[exchange.operation].facts.find(({ at }) => at === `/${first}`)?.repeats;
  if (echo === undefined || mayBeEarlier(exchange, known)) return undefined;
  return valueAt(exchange.request.json, ["", echo, ...rest].join("/"));
}

/**
 * A place with the ids around it: `/batches/3/operations/0/created_at (operation "o-9" of batch
 * "b-1")`.
 */
export function placeText(json: Json | undefined, pointer: string): string {
  const elements = [...pointer.matchAll(/\/(batches|operations)\/\d+(?=\/|$)/g)].flatMap(
    ({ 0: part, 1: list, index }) => {
      const element = valueAt(json, pointer.slice(0, index + part.length));
      const id = memberOf(element, list === "batches" ? "id" : "operation_id");
      return typeof id === "string" && id.length <= longestId
        ? [`${list === "batches" ? "batch" : "operation"} ${JSON.stringify(id)}`]
        : [];
    },
  );
  return elements.length === 0 ? pointer : `${pointer} (${elements.reverse().join(" of ")})`;
}

/** The longest id that is shown, in characters. A longer id would hide the rest of the text. */
const longestId = 100;
