import { inTurn, scenario } from "../../kit/index.ts";

/**
 * Operations that are created at the same time do not depend on each other (specification,
 * Endpoints, 3).
 */
export const concurrentOperations = scenario({
  id: "operation/create/concurrent",
  title: "operations are created at the same time",
  checks: ["OPER-16"],
  run: async ({ further, operationFor, payee, send, settings, target, together }) => {
    // Each counterparty has an operation already, so that the server knows it and all creations can
    // succeed at once.
    const counterparty = await payee();
    const { currencyPairs } = target;
    const most = Math.min(10, settings.concurrency * 2);
    const designed = await further("at the same time", most);
    const others = Array.from({ length: most - designed.length }, (_, index) =>
      operationFor({ counterparty, pair: inTurn(currencyPairs, index) }),
    );
    const creations = [...designed, ...others.map((operation) => () => send(operation))];
    // First in pairs and then in a crowd: some faults need two requests in flight, others many.
    await together(creations.slice(0, 2).map((create) => create()));
    await together(creations.slice(2, 4).map((create) => create()));
    await together(creations.slice(4).map((create) => create()));
  },
});
