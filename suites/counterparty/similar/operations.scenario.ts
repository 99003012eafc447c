import { isSuccess } from "../../../model/exchange.ts";
import { memberOf } from "../../../spec/json.ts";
import { scenario } from "../../kit/index.ts";

/**
 * Sends the same operation and the same item again. The server may refuse either, or return the
 * first one, but must not crash (INT-35).
 */
export const similarOperations = scenario({
  id: "counterparty/similar/operations",
  uses: ["createOperation", "addAcamItem"],
  title: "the same operation and the same item again",
  checks: ["OPER-15"],
  drawsTheSame: true,
  isFirst: true,
  run: async ({ add, answered, create, registered, sendAgain, together }) => {
    const first = await create({ counterparty: await registered() });
    const again = await sendAgain(first.exchange);
    await together([sendAgain(first.exchange), sendAgain(first.exchange)]);
    const isFirst = memberOf(again.json, "operation_id") === first.id;
    const answer = isFirst ? "the first one again" : "a new one";
    answered("OPEN-45", "an operation, all of it", again, isSuccess(again) ? answer : undefined);
    const item = await add(first);
    answered("OPEN-45", "an ACAM item, all of it", await sendAgain(item));
  },
});
