import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { memberOf } from "../../../spec/json.ts";
import { answerOf, scenario, type Context } from "../../kit/index.ts";

const echoes = [
  "OPER-06",
  "OPER-07",
  "OPER-08",
  "OPER-09",
  "OPER-10",
  "OPER-13",
  "OPER-14",
  "OPER-15",
] as const;

/**
 * Creates operations for payees of every kind (specification, Endpoints, 3; INT-09, INT-18 and
 * INT-21). Each has a payee of its own, which a server may bind to one operation, pair or purpose.
 */
export const validOperations = scenario({
  id: "operation/create/valid",
  title: "every valid operation is created as stated, over the whole range of amounts",
  checks: [...echoes, "OPER-11", "OPER-12"],
  run: async (context) => {
    const { forAll, operations, sendOperation, target } = context;
    const samples = [...operations()];
    /** The first operation of each end of the range, whichever is answered first. */
    const ends = [target.amount.min, target.amount.max].flatMap(
      (end) => samples.find(({ value }) => value.amount === end)?.value ?? [],
    );
    await forAll({
      requirements: echoes,
      samples,
      send: async (operation) => {
        const exchange = await sendOperation(operation);
        if (ends.includes(operation)) await observeEdge(context, operation.amount, exchange);
        return exchange;
      },
    });
  },
});

/**
 * Observes whether the server accepts an end of the configured range. If the server refuses it but
 * accepts another amount, sends the request again: only the second answer counts.
 */
async function observeEdge(context: Context, end: number, exchange: Exchange): Promise<void> {
  const { amount, observe, operationFor, payee, send, target } = context;
  if (memberOf(exchange.request.json, "currency_amount") !== end) return;
  const edge = `the ${end === target.amount.min ? "smallest" : "largest"} configured amount`;
  if (isSuccess(exchange)) {
    observe("OPEN-29", edge, "accepted");
    return;
  }
  const counterparty = await payee();
  const isUsualAccepted = isSuccess(await send(operationFor({ counterparty, amount: amount() })));
  if (!isUsualAccepted) return;
  observe("OPEN-29", edge, answerOf(await send(operationFor({ counterparty, amount: end }))));
}
