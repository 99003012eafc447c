import { messageOf, requestText, type Exchange } from "../../../model/exchange.ts";
import type { Judgement, Violation } from "../../../model/finding.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { placeText, valueAt } from "../place-text.ts";
import { adviceAt } from "./advice.ts";
import { starred } from "./successes.ts";
import { broken, classOf, shown, titleOf, type Knowledge } from "./rule.ts";

/** What is wrong at a place in a body. */
export interface WrongMember {
  /** JSON pointer; empty for the body itself. */
  readonly at: string;
  /** How messages and causes name the place. @defaultValue the pointer with stars for indexes */
  readonly place?: string;
  /** What holds of a right one, after the place: `is present`, `= "success"`, `in UTC`. */
  readonly rule: string;
  /** What the cause expects, where that is not the place and the rule. */
  readonly cause?: string | undefined;
  /** The kind of value that was found, for the cause. @defaultValue its JSON type */
  readonly found?: string | undefined;
  /** What was found, where the value itself must not be shown. */
  readonly actual?: string | undefined;
  /** What helps to see the difference, after the place. */
  readonly note?: string;
}

/** A member that breaks a requirement: what would be right follows from all requirements on its place. */
export const brokenMember = (
  exchange: Exchange,
  requirement: RequirementId,
  {
    at,
    place = at === "" ? "the body" : starred(at),
    rule,
    cause = `${place} ${rule}`,
    found,
    actual,
    note = "",
  }: WrongMember,
  known: Knowledge,
): Judgement => {
  const value = valueAt(exchange.json, at);
  const placed = `${at === "" ? place : placeText(exchange.json, at)}${note}`;
  const around = valueAt(exchange.json, at.slice(0, at.lastIndexOf("/")));
  return broken(requirement, {
    message: `${titleOf(exchange)}: ${place} is not ${rule.replace(/^(is|=) /, "")}.`,
    expected: adviceAt(exchange, at, known),
    actual: actual ?? (value === undefined ? `${placed} is absent in ${shown(around)}` : `${placed} = ${shown(value)}`),
    pointer: at,
    cause: { expected: cause, actual: found ?? classOf(value) },
  });
};

/** A response that breaks a requirement as a whole. `what` continues "answers a valid request with". */
export const brokenResponse = (
  { operation, intent }: Pick<Exchange, "operation" | "intent">,
  requirement: RequirementId,
  what: string,
  violation: Omit<Violation, "message">,
): Judgement =>
  broken(requirement, {
    message: `${operationTitle(operation)} answers ${requestText(intent)} with ${what}.`,
    ...violation,
  });

/** A response with another status than the expected one. A crash is one mistake, whatever else was expected. */
export const brokenStatus = (
  exchange: Exchange,
  requirement: RequirementId,
  expected: string,
  actual = `status ${messageOf(exchange)}`,
): Judgement => {
  const { status } = exchange.response;
  return brokenResponse(exchange, requirement, `${status}`, {
    expected: expected === "a 4xx status" ? `a refusal: ${expected}` : expected,
    actual,
    cause: { expected: status >= 500 && status < 600 ? noCrash : expected, actual: `status ${status}` },
  });
};

/** What is expected where a crash came. */
export const noCrash = "a status below 500";
