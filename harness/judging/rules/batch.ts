import { isObject, isSuccess, memberOf, type Exchange, type Json } from "../../../model/exchange.ts";
import { placeText } from "../place-text.ts";
import { broken, holds, shown, titleOf, type Check, type Knowledge } from "./rule.ts";
import type { Judgement } from "../../../model/finding.ts";
import { adviceAt } from "./members.ts";
import { isOfInvalidOperation, isOfInvalidRequest } from "./listed.ts";

/**
 * The relations between a batch and its operations, in every response with a batch (specification, Resources, Batch;
 * INT-30).
 */
export const batchContents: Check = (exchange, known) => {
  if (!isSuccess(exchange)) return [];
  if (exchange.operation === "createBatch") {
    return merged([judgeCreated(exchange, known), ...judgeBatch(exchange, exchange.json, "", known)]);
  }
  if (exchange.operation !== "listBatches") return [];
  const batches = memberOf(exchange.json, "batches");
  if (!Array.isArray(batches)) return [];
  return merged(
    (batches as readonly Json[]).flatMap((batch, index) =>
      isOfInvalidRequest(batch, known.identities) ? [] : judgeBatch(exchange, batch, `/batches/${index}`, known),
    ),
  );
};

/** If the server returns the first batch of a pair again, it created nothing. */
const judgeCreated = (exchange: Exchange, { identities }: Knowledge): Judgement => {
  const id = memberOf(exchange.json, "id");
  const again = typeof id === "string" && identities.known("batch", id);
  return exchange.response.status === 201 || again
    ? holds("BATCH-03")
    : broken("BATCH-03", {
        message: `${titleOf(exchange)}: the creation has another status than 201.`,
        expected: "status 201",
        actual: `status ${exchange.response.status}`,
        cause: { expected: "status 201", actual: `status ${exchange.response.status}` },
      });
};

const judgeBatch = (
  exchange: Exchange,
  batch: Json | undefined,
  at: string,
  known: Knowledge,
): readonly Judgement[] => {
  if (!isObject(batch)) return [];
  const title = titleOf(exchange);
  const placed = (pointer: string): string => placeText(exchange.json, pointer);
  const judgements: Judgement[] = [];
  const count = memberOf(batch, "operation_count");
  if (typeof count === "number") {
    judgements.push(
      count >= 0
        ? holds("BATCH-09")
        : broken("BATCH-09", {
            message: `${title}: an operation_count is negative.`,
            expected: adviceAt(exchange, `${at}/operation_count`, known),
            actual: `${placed(`${at}/operation_count`)} = ${count}`,
            pointer: `${at}/operation_count`,
            cause: { expected: "/operation_count is at least 0", actual: "a negative number" },
          }),
    );
  }
  const operations = memberOf(batch, "operations");
  if (!Array.isArray(operations)) return judgements;
  const id = memberOf(batch, "id");
  (operations as readonly Json[]).forEach((operation, index) => {
    if (!isObject(operation) || isOfInvalidOperation(operation, known.identities)) return;
    const here = `${at}/operations/${index}`;
    judgements.push(
      Object.hasOwn(operation, "operation_purpose")
        ? broken("BATCH-34", {
            message: `${title}: an operation in a batch has an operation_purpose.`,
            expected: `${here}/operation_purpose is absent`,
            actual: `${placed(`${here}/operation_purpose`)} = ${shown(memberOf(operation, "operation_purpose"))}`,
            pointer: `${here}/operation_purpose`,
            cause: { expected: "/operations/*/operation_purpose is absent", actual: "an operation with it" },
          })
        : holds("BATCH-34"),
    );
    const batchId = memberOf(operation, "batch_id");
    if (typeof batchId !== "string" || typeof id !== "string") return;
    judgements.push(
      batchId === id
        ? holds("BATCH-35")
        : broken("BATCH-35", {
            message: `${title}: the batch_id of an operation is not the id of the batch around it.`,
            expected: adviceAt(exchange, `${here}/batch_id`, known),
            actual: `${placed(`${here}/batch_id`)} = ${shown(batchId)}`,
            pointer: `${here}/batch_id`,
            cause: { expected: "/operations/*/batch_id = the id of the batch", actual: "another id" },
          }),
    );
  });
  return judgements;
};

/** The violations, and one positive judgement for each requirement without a violation. */
const merged = (judgements: readonly Judgement[]): readonly Judgement[] => {
  const violations = judgements.filter(({ violation }) => violation !== undefined).slice(0, 100);
  const hurt = new Set(violations.map(({ requirement }) => requirement));
  const kept = new Set(judgements.map(({ requirement }) => requirement).filter((id) => !hurt.has(id)));
  return [...violations, ...[...kept].map(holds)];
};
