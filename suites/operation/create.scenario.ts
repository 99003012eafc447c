import { scenario } from "../define.ts";
import { amountsOf, createOperation, registerCounterparty } from "../steps.ts";

/** A plain operation, created (specification, Endpoints, 3). */
export const create = [
  scenario(
    "an operation is created for a new counterparty",
    {
      requirements: ["OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-05"],
      operations: ["createCounterparty", "createOperation"],
    },
    async (stage) => {
      const counterparty = await registerCounterparty(stage);
      const [amount = stage.target.amount.min] = amountsOf(stage, 1);
      await createOperation(stage, { counterparty: counterparty.id, amount });
    },
  ),
];
