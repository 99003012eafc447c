import { fieldOf } from "../../model/exchange.ts";
import { valid } from "../../model/request.ts";
import { operations, type OperationName } from "../../spec/operations.ts";
import { scenario, type Change, type Table } from "../kit/index.ts";

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
  run: async ({ answered, draw, runId, send, target }) => {
    const path = { customer_id: target.customerId, operation_id: `nothing-${runId}` };
    for (const { method, operation, isRare } of draw(methods)) {
      const what: Change = { what: `with the method ${method}`, breaksNoRule: true };
      const exchange = await send({ operation, intent: valid, path, method }, what);
      const { response } = exchange;
      const allow =
        fieldOf(response.headers, "allow") === undefined ? "without Allow" : "with Allow";
      if (isRare === true) continue;
      const inCase = `${method} ${operations[operation].path}`;
      answered("OPEN-37", inCase, exchange, `${response.status} ${allow}`);
    }
  },
});

interface OtherMethod {
  readonly method: string;
  readonly operation: OperationName;
  /** Only some runs send this method, so that its answer is not recorded. */
  readonly isRare?: true;
}

/** Methods that could change something are sent for an unknown operation. */
const methods: Table<OtherMethod> = {
  name: "other methods",
  always: [
    { method: "GET", operation: "createToken" },
    { method: "HEAD", operation: "listBatches" },
    { method: "GET", operation: "createOperation" },
    { method: "DELETE", operation: "addAcamItem" },
  ],
  sometimes: [
    { method: "GET", operation: "createCounterparty" },
    { method: "GET", operation: "addAcamItem" },
    { method: "PUT", operation: "addAcamItem" },
    { method: "OPTIONS", operation: "createOperation" },
    { method: "PATCH", operation: "addAcamItem" },
    { method: "OPTIONS", operation: "addAcamItem" },
    { method: "OPTIONS", operation: "createToken" },
    { method: "OPTIONS", operation: "createBatch" },
    { method: "OPTIONS", operation: "createCounterparty" },
  ],
};
