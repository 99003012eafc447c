import { scenario } from "../../kit/index.ts";

export const validCounterparties = scenario({
  id: "counterparty/register/valid",
  title: "every valid counterparty is registered as stated",
  checks: ["CPTY-02", "CPTY-03", "CPTY-04", "CPTY-05", "CPTY-10"],
  run: ({ counterparties, counterpartyFor, forAll, send, settings }) =>
    forAll({
      requirements: ["CPTY-02", "CPTY-10"],
      samples: counterparties(Math.ceil(settings.runs * 0.6)),
      send: (body) => send(counterpartyFor(body)),
    }),
});
