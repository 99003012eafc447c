import { scenario, type Request } from "../../kit/index.ts";
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
  run: async ({ further, observed, operationFor, servingPayee, together }) => {
    const designed = await further("other spellings", spellings.length);
    await together(
      spellings.map(async (spelling, nth) => {
        const written = (request: Request) =>
          observed(request, spelling, "OPEN-28", `POST /corporate/operation ${spelling.what}`);
        const create = designed[nth];
        if (create !== undefined) await create(written);
        else await written(operationFor({ counterparty: await servingPayee() }));
      }),
    );
  },
});
