import { batchesIn } from "../../../harness/judging/observations.ts";
import { waits } from "../../../model/bounds.ts";
import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { isLoopback } from "../../../model/target.ts";
import { memberOf } from "../../../spec/json.ts";
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
  run: async (context) => {
    const { listRequest, makeBatch, operationFor, registered, send, servingPayee } = context;
    const { settings } = context;
    const isOnThisMachine = isLoopback(new URL(context.target.baseUrl).hostname);
    if (isOnThisMachine || settings.runs > usualRuns)
      await send(operationFor({ counterparty: await servingPayee() }), inAmount);
    const isMade = (await makeBatch()) !== undefined;
    const { at: began } = await registered();
    await context.pause(Math.max(0, began + untilOld - Date.now()));
    const list = await send(listRequest, { what: "after all odd operations", breaksNoRule: true });
    if (!isMade || !isSuccess(list) || holdsOperations(list)) return;
    // A server may put operations into a batch a moment after it created the batch (INT-43).
    await context.pause(waits.usualLag);
    await send(listRequest, { what: "a while after the last batch", breaksNoRule: true });
  },
});

/**
 * So long after the first counterparty of a run, in milliseconds, its first batches are more than a
 * second old: how a server shows them then must not depend on how fast it is (INT-32).
 */
const untilOld = 1_400;

/** Whether any batch of a list has operations. */
function holdsOperations({ json }: Pick<Exchange, "json">): boolean {
  const batches = batchesIn(json) ?? [];
  return batches.some((batch) => {
    const operations = memberOf(batch, "operations");
    return Array.isArray(operations) && operations.length > 0;
  });
}

/** The default of `--runs`. */
const usualRuns = 25;

const inAmount: Change = {
  what: "with the number 1e400 at /currency_amount",
  text: '{"currency_amount":1e400,…}',
  mayBeAltered: true,
};
