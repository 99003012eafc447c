import { concurrentBatches } from "../../batches/create/concurrent.scenario.ts";
import { listedBatch } from "../../batches/create/listed.scenario.ts";
import { inTurn, scenario, type Change } from "../../kit/index.ts";

/**
 * Operations that are created at the same time do not depend on each other (specification,
 * Endpoints, 3).
 */
export const concurrentOperations = scenario({
  id: "operation/create/concurrent",
  uses: ["createCounterparty", "createOperation", "createBatch"],
  title: "operations are created at the same time, and batches that may take them",
  checks: ["OPER-16"],
  awaits: [listedBatch, concurrentBatches],
  run: async ({
    awaited,
    batchFor,
    further,
    operationFor,
    payee,
    send,
    settings,
    target,
    together,
  }) => {
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
    // First in pairs and then in a crowd: some faults need two requests in flight, others many. A
    // response must show no batch, even if a batch takes the operation at once (OPER-03).
    await together(creations.slice(0, 2).map((create) => create()));
    await together(creations.slice(2, 4).map((create) => create()));
    await awaited();
    const pairs = [...new Set(currencyPairs)].slice(0, 2);
    const batches = await together(pairs.map((pair) => batchFor(pair)));
    await together([
      ...creations.slice(4, 9).map((create) => create()),
      ...batches.map((batch) => send(batch, meanwhile)),
      ...creations.slice(9).map((create) => create()),
    ]);
  },
});

const meanwhile: Change = { what: "while operations are created", breaksNoRule: true };
