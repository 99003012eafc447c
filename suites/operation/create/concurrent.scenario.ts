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
    create,
    operationFor,
    payee,
    register,
    send,
    settings,
    target,
    together,
  }) => {
    // Each counterparty gets an operation first, so that the server knows it and all creations can
    // succeed at once.
    const [known, other] = await together([payee(), register()]);
    await create({ counterparty: other });
    const counterparties = [known, other];
    const { currencyPairs } = target;
    const operations = Array.from({ length: Math.min(10, settings.concurrency * 2) }, (_, index) =>
      operationFor({
        counterparty: inTurn(counterparties, index),
        pair: inTurn(currencyPairs, index),
      }),
    );
    // First in pairs and then in a crowd: some faults need two requests in flight, others many. A
    // response must show no batch, even if a batch takes the operation at once (OPER-03).
    await together(operations.slice(0, 2).map((operation) => send(operation)));
    await together(operations.slice(2, 4).map((operation) => send(operation)));
    await awaited();
    const pairs = [...new Set(currencyPairs)].slice(0, 2);
    const batches = await together(pairs.map((pair) => batchFor(pair)));
    await together([
      ...operations.slice(4, 9).map((operation) => send(operation)),
      ...batches.map((batch) => send(batch, meanwhile)),
      ...operations.slice(9).map((operation) => send(operation)),
    ]);
  },
});

const meanwhile: Change = { what: "while operations are created", breaksNoRule: true };
