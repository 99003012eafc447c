import { memberOf, type Json } from "../../../spec/json.ts";
import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { broken, holds, noVerdict, type Judgement } from "../../../model/judgement.ts";
import { other } from "../../../model/mistake.ts";
import { remember } from "../identities.ts";
import { listOf } from "../observations.ts";
import { shown, titleOf, type Rule } from "./rule.ts";

const requirement = "BATCH-36";

/**
 * The members of an operation in a batch that repeat values of the request that created it, each
 * with the name of the value in that request.
 */
const repeats = [
  ["currency_pair", "currency_pair"],
  ["foreign_currency_amount", "currency_amount"],
  ["counterparty_id", "counterparty_id"],
] as const;

/** The values that a request for an operation sent, in the order of `repeats`. */
type CreatedValues = readonly (Json | undefined)[];

/**
 * Judges whether an operation in a batch shows the values with which this run created it (INT-51).
 */
export const batchedOperations: Rule = {
  decides: [requirement],
  create: () => {
    /**
     * The values of each created operation, by its id. Empty if the server gave the id to two
     * operations with different values (OPER-15).
     */
    const created = new Map<string, CreatedValues>();
    return {
      learn: (exchange) => {
        const id = createdId(exchange);
        if (id === undefined) return;
        const values = repeats.map(([shown, name]) => {
          const sent = memberOf(exchange.request.json, name);
          // Another value in the response to the request is a mistake of that response.
          return (memberOf(exchange.json, shown) ?? sent) === sent ? sent : undefined;
        });
        const before = created.get(id) ?? values;
        remember(created, id, JSON.stringify(before) === JSON.stringify(values) ? values : []);
      },
      judge: (exchange) => {
        const judgements = operationsIn(exchange).flatMap(([at, operation]) => {
          const id = memberOf(operation, "operation_id");
          const values = typeof id === "string" ? created.get(id) : undefined;
          return values === undefined ? [] : judgeOperation(exchange, at, operation, values);
        });
        const wrong = judgements.find(({ violation }) => violation !== undefined);
        return wrong === undefined ? judgements.slice(0, 1) : [wrong];
      },
      unmet: () => [
        noVerdict(
          requirement,
          "no batch showed the pair, the amount or the counterparty of an operation that this run created",
          "batched operations",
        ),
      ],
    };
  },
};

function createdId(exchange: Exchange): string | undefined {
  const { operation, intent, exemptBy, json } = exchange;
  if (operation !== "createOperation" || !isSuccess(exchange)) return undefined;
  if (intent.kind === "invalid" || exemptBy !== undefined) return undefined;
  const id = memberOf(json, "operation_id");
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The operations in the batches of a success, each with its JSON pointer. */
function operationsIn(exchange: Exchange): readonly (readonly [at: string, operation: Json])[] {
  const { operation, json } = exchange;
  if (!isSuccess(exchange)) return [];
  const inBatch = (batch: Json | undefined, at: string) =>
    listOf(batch, "operations").map((one, index) => [`${at}/operations/${index}`, one] as const);
  if (operation === "createBatch") return inBatch(json, "");
  if (operation !== "listBatches") return [];
  return listOf(json, "batches").flatMap((batch, index) => inBatch(batch, `/batches/${index}`));
}

function judgeOperation(
  exchange: Exchange,
  at: string,
  operation: Json,
  values: CreatedValues,
): readonly Judgement[] {
  return repeats.flatMap(([name], index): readonly Judgement[] => {
    const value = memberOf(operation, name);
    const right = values[index];
    // The contract judges the types of members: another type is a mistake of its own (BATCH-30).
    if (right === undefined || typeof value !== typeof right) return [];
    if (value === right) return [holds(requirement)];
    const pointer = `${at}/${name}`;
    return [
      broken(requirement, {
        message: `${titleOf(exchange)}: an operation in a batch has another ${name} than it was created with.`,
        expected: `${pointer} = ${shown(right)}`,
        actual: `${pointer} = ${shown(value)}`,
        pointer,
        mistake: other(
          exchange.operation,
          `the ${name} that the operation was created with`,
          "another value",
        ),
      }),
    ];
  });
}
