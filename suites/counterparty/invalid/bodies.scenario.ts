import { scenario } from "../../kit/index.ts";
import { hopelessBodies } from "../../tables/hopeless.ts";

export const invalidCounterpartyBodies = scenario({
  id: "counterparty/invalid/bodies",
  title: "bodies that are not a counterparty",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ counterpartyLike, observed, registered, together }) => {
    const control = await registered();
    await together(
      hopelessBodies.map((change) => observed(counterpartyLike(control), change, "OPEN-38")),
    );
  },
});
