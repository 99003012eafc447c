import { isLoopback } from "../../../model/target.ts";
import { scenario, type Change } from "../../kit/index.ts";

/**
 * A number that no double can hold (RFC 8259, 6) in an otherwise valid operation. A server that
 * stores it may show it in its lists for ever, as null or as Infinity, which is no JSON (INT-40). So
 * it comes after all else, and only to a server on this machine, or in a run with more samples than
 * the default. Then a batch and the list may show it, and all other odd operations of the run.
 */
export const beyondDoubles = scenario({
  id: "operation/odd/beyond-doubles",
  title: "a number beyond doubles in an operation, and a batch and the list after all odd ones",
  checks: ["OPER-17"],
  uses: ["createOperation", "createBatch", "listBatches"],
  drawsTheSame: true,
  phase: "end",
  run: async ({ listRequest, makeBatch, operationFor, servingPayee, send, settings, target }) => {
    const isOnThisMachine = isLoopback(new URL(target.baseUrl).hostname);
    if (isOnThisMachine || settings.runs > usualRuns)
      await send(operationFor({ counterparty: await servingPayee() }), inAmount);
    await makeBatch();
    await send(listRequest, { what: "after all odd operations", breaksNoRule: true });
  },
});

/** The default of `--runs`. */
const usualRuns = 25;

const inAmount: Change = {
  what: "with the number 1e400 at /currency_amount",
  text: '{"currency_amount":1e400,…}',
  mayBeAltered: true,
};
