import { isSuccess } from "../../../model/exchange.ts";
import { scenario, type Change } from "../../kit/index.ts";

/** ACAM items for operations that accept them (specification, Endpoints, 4; INT-22 and INT-24). */
export const validItems = scenario({
  id: "acam/add/valid",
  title: "an ACAM item is added to an EFX operation",
  checks: ["ACAM-01", "ACAM-02"],
  run: async ({ forAll, items, observed, partialItemFor, payeeWithItem, send, sendItem }) => {
    const { operation: first } = await payeeWithItem();
    await forAll({ requirements: ["ACAM-01", "ACAM-02"], samples: items(), send: sendItem });
    const second = await observed(
      partialItemFor(first, 1),
      asSecond,
      "OPEN-30",
      "a second item of one operation",
    );
    if (isSuccess(second)) await send(partialItemFor(first, 2), asThird);
  },
});

const asSecond: Change = { what: "as a second item of one operation", breaksNoRule: true };

/** Asks for Portuguese: the text of a success is stated, so it must be the same in any language. */
const asThird: Change = {
  what: "as a third item of one operation, in Portuguese",
  headers: [["Accept-Language", "pt-BR, pt;q=0.9"]],
  breaksNoRule: true,
};
