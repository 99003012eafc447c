import { scenario } from "../kit/scenario.ts";
import { listRequest } from "../kit/steps.ts";

/** The list as it is found (specification, Endpoints, 6; ruling 28). */
export const list = [
  scenario(
    "the list as it was before anything was created",
    {
      requirements: ["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23"],
      questions: ["OPEN-03", "OPEN-15", "OPEN-16", "OPEN-17", "OPEN-18"],
      operations: ["listBatches"],
      phase: "before",
      profiles: ["smoke", "full"],
    },
    async (context) => {
      context.knowledge.before = await context.succeed(listRequest);
    },
  ),
];
