import { inputKinds } from "../../../spec/refusals.ts";
import { isRandom, scenario, unknownLike } from "../../kit/index.ts";

export const unknownCustomer = scenario({
  id: "counterparty/register/unknown-customer",
  title: "a counterparty for a made-up customer",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ newCounterparty, observed, runId, send, target }) => {
    const valid = newCounterparty();
    const forCustomer = (customer: string) => ({ ...valid, path: { customer_id: customer } });
    const madeUp = { what: "for a made-up customer", case: "a made-up customer", input };
    await observed(forCustomer(`nobody-${runId}`), madeUp, "OPEN-22", "a made-up customer");
    await send(forCustomer(`nobody-${runId}'--`), {
      what: "for a made-up customer with a quote as in SQL",
      input,
    });
    await send(forCustomer("nobody".repeat(40)), {
      what: "for a made-up customer with a long id",
      input,
    });
    await send(forCustomer("null"), { what: "for the customer null", input });
    // Only if ids are random is it certain that no customer has the made-up id (INT-39).
    if (isRandom(target.customerId)) {
      const alike = unknownLike(target.customerId);
      await send(forCustomer(alike), {
        what: "for a made-up customer with an id of the right shape",
        input,
      });
    }
  },
});

const input = inputKinds.unknown;
