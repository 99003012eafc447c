import { scenario } from "../../kit/index.ts";

/** The list before the run changes anything (specification, Endpoints, 6; INT-28). */
export const listBefore = scenario({
  id: "batches/list/before",
  title: "the list before anything is created",
  checks: ["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23"],
  phase: "before",
  profiles: ["smoke", "full"],
  run: async ({ listRequest, showInstead, succeed }) => {
    showInstead(await succeed(listRequest));
  },
});
