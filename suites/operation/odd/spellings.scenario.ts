import { scenario } from "../../kit/index.ts";
import { spellings } from "../../tables/spellings.ts";

/**
 * Operations in unusual spellings of JSON. A server may refuse them, but must not crash on them
 * (INT-02 and INT-31).
 */
export const spelledOperations = scenario({
  id: "operation/odd/spellings",
  title: "the same operation in other spellings of JSON",
  checks: ["OPER-06", "OPER-07", "OPER-08", "OPER-09"],
  drawsTheSame: true,
  phase: "beside",
  run: async ({ draw, observed, operationFor, servingPayee, together }) => {
    await together(
      draw(spellings).map(async (spelling) =>
        observed(
          operationFor({ counterparty: await servingPayee() }),
          spelling,
          "OPEN-28",
          `POST /corporate/operation ${spelling.what}`,
        ),
      ),
    );
  },
});
