import { isDeepStrictEqual } from "node:util";
import { memberOf, type Json } from "../../../spec/json.ts";
import { scenario } from "../../kit/index.ts";

/** Creates the first operation of a counterparty (specification, Endpoints, 3; INT-18). */
export const firstOperation = scenario({
  id: "operation/create/first",
  title: "an operation is created for a new counterparty",
  checks: ["OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-05"],
  drawsTheSame: true,
  run: async ({ answered, payee, target }) => {
    const { body, operation } = await payee();
    const { exchange } = operation;
    const shown = (member: string) => memberOf(exchange.json, member);
    // Whether an operation repeats the id of the customer, and the banks of its counterparty, is
    // open.
    answered(
      "OPEN-33",
      "customer_id",
      exchange,
      relationOf(shown("customer_id"), target.customerId),
    );
    for (const bank of ["bank_account", "intermediary_bank"]) {
      const own = shown(bank);
      const relation = relationOf(own, memberOf(body, bank));
      answered("OPEN-34", bank, exchange, own === null ? "null" : relation);
    }
  },
});

function relationOf(own: Json | undefined, known: Json | undefined): string {
  if (own === undefined) return "absent";
  return isDeepStrictEqual(own, known) ? "equal" : "other";
}
