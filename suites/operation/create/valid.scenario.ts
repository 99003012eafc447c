import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { memberOf } from "../../../spec/json.ts";
import {
  answerOf,
  createdIn,
  inTurn,
  scenario,
  type Context,
  type OperationData,
} from "../../kit/index.ts";
import { withoutOptionalMembers } from "../../tables/tolerated.ts";

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

/** Creates valid operations (specification, Endpoints, 3; INT-09, INT-18 and INT-21). */
export const validOperations = scenario({
  id: "operation/create/valid",
  title: "every valid operation is created as stated, over the whole range of amounts",
  checks: [...echoes, "OPER-11", "OPER-12"],
  run: async (context) => {
    const { create, forAll, newCounterparty, operationFor, overAmounts, payee, register, send } =
      context;
    const { settings, target, together } = context;
    // Each counterparty gets an operation first: then the server knows it, and later refusals are
    // about the values.
    const [known, other] = await together([payee(), register()]);
    const plain = createdIn(await send(newCounterparty(), withoutOptionalMembers));
    const others = plain === undefined ? [other] : [other, plain];
    await together(others.map((counterparty) => create({ counterparty })));
    const counterparties = [known, ...others];
    const purposes = ["EFX", ...target.otherPurposes];
    await forAll({
      requirements: echoes,
      // Each sample has another combination of counterparty, pair and purpose.
      samples: overAmounts(settings.runs + 1, ({ amount, pair, index }) => ({
        amount,
        pair,
        purpose: inTurn(purposes, Math.floor(index / target.currencyPairs.length)),
        counterparty: inTurn(counterparties, index * 2 + Math.floor(index / 3)),
      })),
      send: async (data) => {
        const exchange = await send(operationFor(data));
        await observeEdge(context, data, exchange);
        return exchange;
      },
    });
  },
});

/**
 * Observes whether the server accepts the ends of the configured range. If the server refuses an
 * end but accepts another amount, sends the request again: only the second answer counts.
 */
async function observeEdge(
  context: Context,
  data: OperationData,
  exchange: Exchange,
): Promise<void> {
  const { amount, observe, operationFor, send, target } = context;
  const { min, max } = target.amount;
  const sent = memberOf(exchange.request.json, "currency_amount");
  if (sent !== min && sent !== max) return;
  const edge = `the ${sent === min ? "smallest" : "largest"} configured amount`;
  if (isSuccess(exchange)) {
    observe("OPEN-29", edge, "accepted");
    return;
  }
  const isUsualAccepted = isSuccess(await send(operationFor({ ...data, amount: amount() })));
  if (isUsualAccepted) observe("OPEN-29", edge, answerOf(await send(operationFor(data))));
}
