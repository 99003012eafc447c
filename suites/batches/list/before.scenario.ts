import { unusual } from "../../../model/request.ts";
import { listRequest } from "../../kit/requests.ts";
import { scenario } from "../../kit/scenario.ts";

/** The list before the run changes anything (specification, Endpoints, 6; INT-28). */
export const listBefore = scenario(
  "batches/list/before",
  "the list before anything is created",
  {
    requirements: ["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23"],
    operations: ["listBatches"],
    phase: "before",
    profiles: ["smoke", "full"],
  },
  async (context) => {
    context.showInstead(await context.succeed({ ...listRequest, intent: unusual("before anything was created") }));
  },
);
