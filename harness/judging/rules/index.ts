import type { Exchange } from "../../../model/exchange.ts";
import { acamResult } from "./acam.ts";
import { batchContents } from "./batch.ts";
import { batchList } from "./batch-list.ts";
import { concurrency } from "./concurrency.ts";
import { echo } from "./echo.ts";
import { identities } from "./identity.ts";
import { memberFacts } from "./members.ts";
import { errorShapeOf, message } from "./message.ts";
import { newOperation } from "./operation.ts";
import { needed, presence, reportedFailure } from "./presence.ts";
import { type Check, type Rule } from "./rule.ts";
import { schema, shapeRequirements } from "./schema.ts";

/** A rule that is a pure function of an exchange and of what is known. */
const pure = (check: Check, rule: Omit<Rule, "create">): Rule => ({
  ...rule,
  create: (known) => ({ judge: (exchange) => check(exchange, known) }),
});

/** Of a request that breaks a rule, only a success that reports a failure is judged (INT-05, INT-12). */
const shape: Check = (exchange, known) =>
  exchange.intent.kind === "invalid"
    ? reportedFailure(exchange, known)
    : [...schema(exchange, known), ...presence(exchange, known)];

const echoed = new Set(
  memberFacts.filter(({ repeats }) => repeats !== undefined).map(({ requirement }) => requirement),
);

/**
 * All rules, in the order in which they judge. A run (`harness/judge.ts`) and a recording (`traffic/judge.ts`) judge by
 * the same; they differ in what they know.
 */
export const rules: readonly Rule[] = [
  pure(message, {
    decides: ["HTTP-01", "HTTP-02", "HTTP-03", "HTTP-04", "HTTP-06", ...Object.values(errorShapeOf)],
    needs: [],
    judges: "every",
  }),
  pure(shape, {
    decides: [...new Set([...shapeRequirements, ...needed.map(({ requirement }) => requirement)])],
    needs: ["intent"],
    judges: "unexempt",
  }),
  pure(newOperation, { decides: ["OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-14"], needs: ["intent"] }),
  pure(acamResult, { decides: ["ACAM-01", "ACAM-02"], needs: ["intent"] }),
  pure(batchContents, { decides: ["BATCH-03", "BATCH-09", "BATCH-34", "BATCH-35"], needs: ["intent", "creations"] }),
  pure(echo, { decides: [...echoed], needs: ["intent", "creations"] }),
  identities,
  concurrency,
  batchList,
];

export const applies = (
  { judges = "unbroken" }: Rule,
  { exemptBy, intent }: Pick<Exchange, "exemptBy" | "intent">,
): boolean => judges === "every" || (exemptBy === undefined && (judges === "unexempt" || intent.kind !== "invalid"));
