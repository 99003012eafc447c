import { isSuccess } from "../../../model/exchange.ts";
import { isLoopback } from "../../../model/target.ts";
import { scenario, type Change } from "../../kit/index.ts";

/**
 * A number that no double can hold (RFC 8259, 6) in an otherwise valid operation, and the list after
 * it. A server that stores it may show it in its lists for ever, as null or as Infinity, which is no
 * JSON (INT-40). So it comes after all else, and only to a server on this machine, or in a run with
 * more samples than the default.
 */
export const beyondDoubles = scenario({
  id: "operation/odd/beyond-doubles",
  title: "a number beyond doubles in an operation, and the list after it",
  checks: ["OPER-17"],
  uses: ["createOperation", "createBatch", "listBatches"],
  drawsTheSame: true,
  phase: "end",
  run: async ({ listRequest, makeBatch, operationFor, payee, send, settings, target }) => {
    const isOnThisMachine = isLoopback(new URL(target.baseUrl).hostname);
    if (!isOnThisMachine && settings.runs <= usualRuns) return;
    const counterparty = await payee();
    if (!isSuccess(await send(operationFor({ counterparty }), inAmount))) return;
    await makeBatch();
    await send(listRequest, { what: "after an amount beyond doubles", breaksNoRule: true });
  },
});

/** The default of `--runs`. */
const usualRuns = 25;

const inAmount: Change = {
  what: "with the number 1e400 at /currency_amount",
  text: '{"currency_amount":1e400,…}',
  mayBeAltered: true,
};
