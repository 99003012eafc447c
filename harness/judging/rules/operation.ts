import { isUtc, isDateTime } from "../date-time.ts";
import { isObject, isSuccess, memberOf, type Exchange } from "../../../model/exchange.ts";
import { broken, classOf, holds, shown, titleOf, type Check, type Knowledge } from "./rule.ts";
import type { Judgement } from "../../../model/finding.ts";
import { adviceAt } from "./members.ts";

/**
 * What holds for a new operation: 200, pending_quote, in no batch, dated in UTC (specification, Resources, Operation;
 * INT-18).
 */
export const newOperation: Check = (exchange, known) => {
  if (exchange.operation !== "createOperation" || !isSuccess(exchange)) return [];
  return [judgeStatusCode(exchange), ...(isObject(exchange.json) ? judgeMembers(exchange, known) : [])];
};

const judgeStatusCode = (exchange: Exchange): Judgement =>
  exchange.response.status === 200
    ? holds("OPER-01")
    : broken("OPER-01", {
        message: `${titleOf(exchange)}: the success has another status than 200.`,
        expected: "status 200",
        actual: `status ${exchange.response.status}`,
        cause: { expected: "status 200", actual: `status ${exchange.response.status}` },
      });

const judgeMembers = (exchange: Exchange, known: Knowledge): readonly Judgement[] => {
  const title = titleOf(exchange);
  const status = memberOf(exchange.json, "status");
  const batch = memberOf(exchange.json, "batch_id");
  const created = memberOf(exchange.json, "created_at");
  return [
    status === "pending_quote"
      ? holds("OPER-02")
      : broken("OPER-02", {
          message: `${title}: the new operation is not pending_quote.`,
          expected: adviceAt(exchange, "/status", known),
          actual: status === undefined ? "/status is absent" : `/status = ${shown(status)}`,
          pointer: "/status",
          cause: {
            expected: '/status = "pending_quote"',
            actual: typeof status === "string" ? "another status" : classOf(status),
          },
        }),
    batch === undefined || batch === null
      ? holds("OPER-03")
      : broken("OPER-03", {
          message: `${title}: the new operation is in a batch.`,
          expected: adviceAt(exchange, "/batch_id", known),
          actual: `/batch_id = ${shown(batch)}`,
          pointer: "/batch_id",
          cause: { expected: "/batch_id = null", actual: classOf(batch) },
        }),
    batch === undefined
      ? broken("OPER-04", {
          message: `${title}: the new operation does not show its batch_id.`,
          expected: adviceAt(exchange, "/batch_id", known),
          actual: "/batch_id is absent",
          pointer: "/batch_id",
          cause: { expected: "/batch_id is present", actual: "a body without it" },
        })
      : holds("OPER-04"),
    ...(typeof created === "string" && isDateTime(created)
      ? [
          isUtc(created)
            ? holds("OPER-14")
            : broken("OPER-14", {
                message: `${title}: the created_at of the operation is not in UTC.`,
                expected: adviceAt(exchange, "/created_at", known),
                actual: `/created_at = ${shown(created)}`,
                pointer: "/created_at",
                cause: { expected: "/created_at in UTC", actual: "another zone" },
              }),
        ]
      : []),
  ];
};
