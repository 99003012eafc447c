import { fieldOf } from "../../model/exchange.ts";
import { valid } from "../../model/request.ts";
import { operations, type OperationName } from "../../spec/operations.ts";
import { scenario, type Change } from "../kit/index.ts";

/**
 * Sends methods that the specification does not name. A server may answer them as it likes, but
 * never crashes (INT-10).
 */
export const otherMethods = scenario({
  id: "transport/methods",
  uses: [],
  title: "methods that the specification does not name",
  checks: ["HTTP-04"],
  phase: "beside",
  run: async ({ answered, runId, send, target }) => {
    const path = { customer_id: target.customerId, operation_id: `nothing-${runId}` };
    for (const { method, operation } of methods) {
      const what: Change = { what: `with the method ${method}`, breaksNoRule: true };
      const exchange = await send({ operation, intent: valid, path, method }, what);
      const { response } = exchange;
      const allow =
        fieldOf(response.headers, "allow") === undefined ? "without Allow" : "with Allow";
      const inCase = `${method} ${operations[operation].path}`;
      answered("OPEN-37", inCase, exchange, `${response.status} ${allow}`);
    }
  },
});

interface OtherMethod {
  readonly method: string;
  readonly operation: OperationName;
}

/** Methods that could change something are sent for an unknown operation. */
const methods: readonly OtherMethod[] = [
  { method: "GET", operation: "createToken" },
  { method: "HEAD", operation: "listBatches" },
  { method: "GET", operation: "createOperation" },
  { method: "DELETE", operation: "addAcamItem" },
];
