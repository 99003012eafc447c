import type { RequirementId } from "../../../spec/catalogue.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { isObject, isSuccess, memberOf, requestText, type Exchange, type Json } from "../../../model/exchange.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { isUsableToken } from "../../../model/token.ts";
import { placeText } from "../place-text.ts";
import { broken, classOf, holds, shown, titleOf, type Check } from "./check.ts";
import type { Judgement } from "../../../model/finding.ts";

/** A member that a response must have. The schema check judges its type. */
interface Needed {
  readonly operation: OperationName;
  readonly member: string;
  readonly requirement: RequirementId;
}

/** Members that follow from INT-14, INT-18, INT-25, INT-27, INT-28, since the specification marks none as required. */
const needed: readonly Needed[] = [
  { operation: "createToken", member: "token", requirement: "AUTH-01" },
  { operation: "createCounterparty", member: "id", requirement: "CPTY-01" },
  { operation: "createOperation", member: "operation_id", requirement: "OPER-05" },
  { operation: "createBatch", member: "id", requirement: "BATCH-01" },
  { operation: "listBatches", member: "batches", requirement: "BATCH-20" },
  { operation: "listBatches", member: "count", requirement: "BATCH-21" },
  { operation: "listBatches", member: "total", requirement: "BATCH-22" },
];

/** Members without which a response is useless, and the operations of each listed batch. */
export const presence: Check = (exchange) => {
  if (!isSuccess(exchange) || exchange.offContract || !isObject(exchange.json)) return [];
  const own = needed.filter(({ operation }) => operation === exchange.operation);
  if (exchange.intent.kind === "invalid") return own.slice(0, 1).flatMap((row) => judgeFailure(exchange, row));
  return [...own.map((row) => judgeMember(exchange, row)), ...judgeToken(exchange), ...judgeListed(exchange)];
};

const judgeMember = (exchange: Exchange, { member, requirement }: Needed): Judgement =>
  memberOf(exchange.json, member) === undefined
    ? broken(requirement, {
        message: `${titleOf(exchange)}: the response has no ${member}.`,
        expected: `/${member} is present`,
        actual: `/${member} is absent in ${shown(exchange.json)}`,
        pointer: `/${member}`,
        cause: { expected: `/${member} is present`, actual: "a body without it" },
      })
    : holds(requirement);

/**
 * Whatever was sent: a success that has members but lacks the needed one either reports a failure (INT-05) or leaves
 * out what every success has.
 */
const judgeFailure = (exchange: Exchange, { member, requirement }: Needed): readonly Judgement[] => {
  const names = isObject(exchange.json) ? Object.keys(exchange.json) : [];
  if (names.length === 0 || isNamed(memberOf(exchange.json, member))) return [];
  return [
    broken(requirement, {
      message: `${operationTitle(exchange.operation)} answers ${requestText(exchange.intent)} with a success that reports a failure.`,
      expected: `a 4xx status, or /${member}`,
      actual: `status ${exchange.response.status} with ${shown(exchange.json)}`,
      pointer: `/${member}`,
      cause: { expected: `a 4xx status, or /${member}`, actual: `a success without ${member}` },
    }),
  ];
};

/** Programs write an absent value as null, as an empty text or as zero. */
const isNamed = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== "" && value !== 0;

/** A token must fit a header (INT-14). */
const judgeToken = (exchange: Exchange): readonly Judgement[] => {
  const token = exchange.operation === "createToken" ? memberOf(exchange.json, "token") : undefined;
  if (typeof token !== "string" || isUsableToken(token)) return [];
  return [
    broken("AUTH-01", {
      message: `${titleOf(exchange)}: the token cannot be used.`,
      expected: "a token that is not empty and fits into a header",
      actual: token === "" ? "an empty token" : "a token with characters that no header may have",
      pointer: "/token",
      cause: { expected: "a token that fits into a header", actual: classOf(token) },
    }),
  ];
};

const judgeListed = (exchange: Exchange): readonly Judgement[] => {
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
      expected: "each listed batch has operations",
      actual: `${without.length} of ${elements.length} have none, the first is ${placeText(exchange.json, `/batches/${first.index}`)}`,
      pointer: `/batches/${first.index}/operations`,
      cause: { expected: "/batches/*/operations is present", actual: "a batch without it" },
    }),
  ];
};
