import { isSuccess } from "../../../model/exchange.ts";
import { scenario } from "../../kit/index.ts";

/**
 * Registers a counterparty twice, because some faults show only the second time (specification,
 * Endpoints, 2; INT-25 and INT-26).
 */
export const registeredTwice = scenario({
  id: "counterparty/register/twice",
  title: "a counterparty is registered, and another",
  checks: ["CPTY-01", "CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"],
  run: async ({ payees, register, sendPayee }) => {
    for (const { value } of [...payees()].slice(0, 2))
      if (!isSuccess(await sendPayee(value))) await register();
  },
});
