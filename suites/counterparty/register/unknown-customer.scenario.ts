import { inputKinds } from "../../../spec/refusals.ts";
import { isRandom, scenario, unknownLike } from "../../kit/index.ts";

export const unknownCustomer = scenario({
  id: "counterparty/register/unknown-customer",
  title: "a counterparty for a made-up customer",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ newCounterparty, observed, runId, send, target, together }) => {
    const valid = newCounterparty();
    const forCustomer = (customer: string) => ({ ...valid, path: { customer_id: customer } });
    const madeUp = { what: "for a made-up customer", case: "a made-up customer", input };
    const sendFor = (customer: string, what: string) =>
      send(forCustomer(customer), { what, input });
    await together([
      observed(forCustomer(`nobody-${runId}`), madeUp, "OPEN-22", "a made-up customer"),
      sendFor(`nobody-${runId}'--`, "for a made-up customer with a quote as in SQL"),
      sendFor("nobody".repeat(40), "for a made-up customer with a long id"),
      sendFor("null", "for the customer null"),
      // Only if ids are random is it certain that no customer has the made-up id (INT-39).
      isRandom(target.customerId) &&
        sendFor(
          unknownLike(target.customerId),
          "for a made-up customer with an id of the right shape",
        ),
    ]);
  },
});

const input = inputKinds.unknown;
