/** The six operations of the API by their `operationId` in `openapi.yaml`, with method and path template. */
export const operations = {
  createToken: { method: "POST", path: "/auth/token" },
  createCounterparty: { method: "POST", path: "/customers/{customer_id}/counterparty" },
  createOperation: { method: "POST", path: "/corporate/operation" },
  addAcamItem: { method: "POST", path: "/corporate/operation/{operation_id}/acam" },
  createBatch: { method: "POST", path: "/batches" },
  listBatches: { method: "GET", path: "/batches" },
} as const satisfies Record<string, { readonly method: "GET" | "POST"; readonly path: string }>;

/** One of the six operations. */
export type OperationName = keyof typeof operations;

/** All six, in the order of the specification. */
export const operationNames = Object.keys(operations) as readonly OperationName[];

/** `POST /batches`: an operation as people write it. */
export const operationTitle = (name: OperationName): string => `${operations[name].method} ${operations[name].path}`;
