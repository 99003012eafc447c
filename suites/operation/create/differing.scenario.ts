import { inTurn, scenario } from "../../kit/index.ts";

/**
 * Operations that differ in one member. A faulty server may take two of them for the same operation
 * (specification, Endpoints, 3).
 */
export const differingOperations = scenario({
  id: "operation/create/differing",
  title: "operations that differ in one member alone",
  checks: ["OPER-07", "OPER-08", "OPER-09", "OPER-15"],
  isFirst: true,
  run: async ({ amount, create, operationFor, payee, registered, send, target, together }) => {
    const [counterparty, other] = await together([registered(), payee()]);
    const { currencyPairs, otherPurposes } = target;
    const first = {
      counterparty,
      amount: amount(),
      pair: inTurn(currencyPairs, 0),
      purpose: "EFX",
    };
    await create(first);
    await send(operationFor({ ...first, pair: inTurn(currencyPairs, 1) }));
    await send(operationFor({ ...first, purpose: otherPurposes[0] ?? "EFX" }));
    await send(operationFor({ ...first, counterparty: other }));
  },
});
