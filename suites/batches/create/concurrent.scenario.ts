import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { inTurn, scenario, type Change } from "../../kit/index.ts";
import { listUntilSeen } from "../following.ts";
import { listedBatch } from "./listed.scenario.ts";

export const concurrentBatches = scenario({
  id: "batches/create/concurrent",
  title: "batches are created at the same time as others, and as operations that they may take",
  uses: ["createCounterparty", "createOperation", "createBatch", "listBatches"],
  checks: ["BATCH-03", "BATCH-06", "BATCH-07", "BATCH-24", "BATCH-27", "OPER-16"],
  after: [listedBatch],
  run: async (context) => {
    const { attempt, batchFor, create, listRequest, operationFor, payee, ...more } = context;
    const { register, send, succeed, target, together } = more;
    const pairs = [...new Set(target.currencyPairs)].slice(0, 6);
    const atOnce = async (n: number): Promise<readonly Exchange[]> => {
      const requests = await together(pairs.slice(0, n).map((pair) => batchFor(pair)));
      const exchanges = await together(requests.map((request) => send(request)));
      return exchanges.filter(isSuccess);
    };
    const operationsThatWait = async (): Promise<void> => {
      const counterparty = await register();
      await together(pairs.map((pair) => create({ counterparty, pair })));
    };
    // The server knows this counterparty already, so that these creations can succeed at once.
    const counterparty = await attempt(payee());
    const operations =
      counterparty === undefined
        ? []
        : [0, 1, 2, 3].map((nth) => operationFor({ counterparty, pair: inTurn(pairs, nth) }));
    // Only two batches: of many more, the list may show only a page (INT-29). The response to an
    // operation must show no batch, even if a batch takes the operation at once (OPER-03).
    const [first] = await together([
      atOnce(2),
      send(listRequest, meanwhile),
      ...operations.map((operation) => send(operation, meanwhile)),
    ]);
    if (pairs.length < 2) return;
    // A server may make a batch only if operations wait for one.
    if (first.length < 2) await attempt(operationsThatWait());
    const made = first.length < 2 ? [...first, ...(await atOnce(pairs.length))] : first;
    if (made.length > 0) await listUntilSeen(context, made);
    // If there are no two batches, the server's refusal is given as the reason for no verdict.
    if (made.length < 2) await succeed(await batchFor(pairs[1]));
    // Two requests at once are few, so batches for all these pairs are sent at once. The server may
    // refuse a second batch for a pair.
    if (pairs.length > 2) await atOnce(pairs.length);
  },
});

const meanwhile: Change = { what: "while POST /batches was in flight", breaksNoRule: true };
