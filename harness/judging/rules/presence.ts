import { isObject, isSuccess, memberOf, requestText, type Exchange, type Json } from "../../../model/exchange.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { isUsableToken } from "../../../model/token.ts";
import { placeText } from "../place-text.ts";
import { broken, classOf, holds, shown, titleOf, type Check, type Knowledge } from "./rule.ts";
import type { Judgement } from "../../../model/finding.ts";
import { adviceAt, memberFacts, type MemberFact } from "./members.ts";

/** The members of the body itself that only this check looks for. The schema check judges their types. */
export const needed = memberFacts.filter(
  ({ at, isNeeded, value }) => isNeeded && value === undefined && !at.includes("*"),
);

/** Members without which a response is useless, and the operations of each listed batch. */
export const presence: Check = (exchange, known) => {
  if (!isSuccess(exchange) || !isObject(exchange.json)) return [];
  const own = needed.filter(({ operation }) => operation === exchange.operation);
  return [
    ...own.map((row) => judgeMember(exchange, row, known)),
    ...judgeToken(exchange, known),
    ...judgeListed(exchange, known),
  ];
};

const judgeMember = (exchange: Exchange, { at, requirement }: MemberFact, known: Knowledge): Judgement =>
  memberOf(exchange.json, at.slice(1)) === undefined
    ? broken(requirement, {
        message: `${titleOf(exchange)}: the response has no ${at.slice(1)}.`,
        expected: adviceAt(exchange, at, known),
        actual: `${at} is absent in ${shown(exchange.json)}`,
        pointer: at,
        cause: { expected: `${at} is present`, actual: "a body without it" },
      })
    : holds(requirement);

/**
 * Whatever was sent: a success that has members but lacks the needed one either reports a failure (INT-05) or leaves
 * out what every success has.
 */
export const reportedFailure: Check = (exchange) => {
  const first = needed.find(({ operation }) => operation === exchange.operation);
  if (first === undefined || !isSuccess(exchange)) return [];
  const { at, requirement } = first;
  const names = isObject(exchange.json) ? Object.keys(exchange.json) : [];
  if (names.length === 0 || isNamed(memberOf(exchange.json, at.slice(1)))) return [];
  return [
    broken(requirement, {
      message: `${operationTitle(exchange.operation)} answers ${requestText(exchange.intent)} with a success that reports a failure.`,
      expected: `a refusal: ${exchange.operation === "createOperation" ? "status 400, or 401 for a bad token" : "a 4xx status"}, and a JSON object with a string message`,
      actual: `status ${exchange.response.status} with ${shown(exchange.json)}`,
      pointer: at,
      cause: { expected: "a refusal", actual: `a success without ${at}` },
    }),
  ];
};

/** Programs write an absent value as null, as an empty text or as zero. */
const isNamed = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== "" && value !== 0;

/** A token must fit a header (INT-14). */
const judgeToken = (exchange: Exchange, known: Knowledge): readonly Judgement[] => {
  const token = exchange.operation === "createToken" ? memberOf(exchange.json, "token") : undefined;
  if (typeof token !== "string" || isUsableToken(token)) return [];
  return [
    broken("AUTH-01", {
      message: `${titleOf(exchange)}: the token cannot be used.`,
      expected: adviceAt(exchange, "/token", known),
      actual: token === "" ? "an empty token" : "a token with characters that no header may have",
      pointer: "/token",
      cause: { expected: "a token that fits into a header", actual: classOf(token) },
    }),
  ];
};

const judgeListed = (exchange: Exchange, known: Knowledge): readonly Judgement[] => {
  if (exchange.operation !== "listBatches") return [];
  const batches = memberOf(exchange.json, "batches");
  if (!Array.isArray(batches)) return [];
  const elements = (batches as readonly Json[]).map((batch, index) => ({ batch, index }));
  const without = elements.filter(({ batch }) => isObject(batch) && memberOf(batch, "operations") === undefined);
  const first = without[0];
  if (first === undefined) return elements.some(({ batch }) => isObject(batch)) ? [holds("BATCH-23")] : [];
  return [
    broken("BATCH-23", {
      message: `${titleOf(exchange)}: a listed batch has no operations.`,
      expected: adviceAt(exchange, "/batches/*/operations", known),
      actual: `${without.length} of ${elements.length} have none, the first is ${placeText(exchange.json, `/batches/${first.index}`)}`,
      pointer: `/batches/${first.index}/operations`,
      cause: { expected: "/batches/*/operations is present", actual: "a batch without it" },
    }),
  ];
};
