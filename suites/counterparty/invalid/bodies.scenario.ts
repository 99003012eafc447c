import { scenario } from "../../kit/index.ts";
import { hopelessBodies } from "../../tables/hopeless.ts";

export const invalidCounterpartyBodies = scenario({
  id: "counterparty/invalid/bodies",
  title: "bodies that are not a counterparty",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ counterpartyLike, draw, observed, register, together }) => {
    const control = await register();
    const bodies = draw(hopelessBodies("createCounterparty", "name"));
    await together(bodies.map((change) => observed(counterpartyLike(control), change, "OPEN-38")));
  },
});
