import { isObject, isRefusal, isSuccess, memberOf, type Exchange, type Json } from "../../../model/exchange.ts";
import { valueAt } from "../place-text.ts";
import { starred, successes, type Fact } from "./successes.ts";
import { mayBeEarlier } from "./identity.ts";
import { shown, type Knowledge } from "./rule.ts";

/**
 * What would be right at a place of a success, by all requirements on it: whoever follows it breaks none of them.
 * `pointer` may have stars.
 */
export const adviceAt = (exchange: Exchange, pointer: string, known: Knowledge): string => {
  const { operation, json } = exchange;
  if (pointer === "") return `the body is ${bodyText(exchange)}`;
  const at = starred(pointer);
  const { schema: name, facts } = successes[operation];
  const own = facts.filter((fact) => fact.at === at);
  const schema = name && known.schemas.placeIn(name, pointer);
  const value = valueOf(exchange, pointer, own, known);
  const type =
    own.find(({ right }) => right !== undefined)?.right ??
    `${schema?.text ?? "present"}${withNeeded(facts, at)}${isObject(value) ? " as it was sent" : ""}`;
  const advice = `${pointer} ${value === undefined || isObject(value) ? `is ${type}` : `= ${shown(value)}`}`;
  const mayBeAbsent = !own.some(({ isNeeded }) => isNeeded) && schema?.isRequired === false;
  if (valueAt(json, pointer) !== null || !mayBeAbsent) return advice;
  const ofOperation = known.schemas.placeIn("Operation", pointer.slice(pointer.lastIndexOf("/")));
  const note = ofOperation?.text.endsWith(" or null") === true ? "; null is allowed on an Operation only" : "";
  return `${advice}, or the member left out${note}`;
};

/** What the body of a response is, whatever else is wrong with it: `a JSON object with id`. */
export const bodyText = (exchange: Exchange): string =>
  isSuccess(exchange)
    ? `a JSON object${withNeeded(successes[exchange.operation].facts, "")}`
    : isRefusal(exchange)
      ? "a JSON object with a string message"
      : "a JSON text";

/** ` with count and total`: the members that must be in an object. */
const withNeeded = (facts: readonly Fact[], at: string): string => {
  const names = facts
    .filter(({ isNeeded }) => isNeeded)
    .filter((fact) => fact.at.slice(0, fact.at.lastIndexOf("/")) === at)
    .map((fact) => fact.at.slice(at.length + 1));
  const [last, ...before] = names.toReversed();
  if (last === undefined) return "";
  return ` with ${before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`}`;
};

/** The one value that is right, if there is one. */
const valueOf = (exchange: Exchange, pointer: string, own: readonly Fact[], known: Knowledge): Json | undefined => {
  const stated = own.find((fact) => fact.value !== undefined);
  if (stated?.value !== undefined) return stated.value;
  const [, batch, member] = /^((?:\/batches\/\d+)?)\/operations\/\d+\/(\w+)$/.exec(pointer) ?? [];
  if (batch !== undefined && member === "batch_id") return stringIn(valueAt(exchange.json, batch), "id");
  const [, named] = /^((?:\/batches\/\d+)?)\/id$/.exec(pointer) ?? [];
  if (named !== undefined) {
    const operations = memberOf(valueAt(exchange.json, named), "operations");
    const [id] = Array.isArray(operations) ? operations.flatMap((each: Json) => stringIn(each, "batch_id") ?? []) : [];
    if (id !== undefined) return id;
  }
  const [, first = "", rest = ""] = /^(\/[^/]*)(.*)$/s.exec(pointer) ?? [];
  const echo = successes[exchange.operation].facts.find((fact) => fact.at === first)?.repeats;
  const sent = echo === undefined ? undefined : valueAt(exchange.request.json, `/${echo}${rest}`);
  return sent === undefined || mayBeEarlier(exchange, known) ? undefined : sent;
};

const stringIn = (value: Json | undefined, name: string): string | undefined => {
  const text = memberOf(value, name);
  return typeof text === "string" ? text : undefined;
};
