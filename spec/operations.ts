interface OperationRow {
  readonly method: "GET" | "POST";
  /** The path template, relative to the base URL. */
  readonly path: string;
  /** Whether requests have a body (specification, Endpoints). */
  readonly hasBody: boolean;
  /** Whether a success creates a resource on the target. A token is not a resource. */
  readonly creates: boolean;
  /** The operation that must succeed first, because a valid request names what it created. */
  readonly follows?: string;
}

/** The six operations of the API by their `operationId` in `openapi.yaml`. */
export const operations = {
  createToken: { method: "POST", path: "/auth/token", hasBody: false, creates: false },
  createCounterparty: {
    method: "POST",
    path: "/customers/{customer_id}/counterparty",
    hasBody: true,
    creates: true,
  },
  createOperation: {
    method: "POST",
    path: "/corporate/operation",
    hasBody: true,
    creates: true,
    follows: "createCounterparty",
  },
  addAcamItem: {
    method: "POST",
    path: "/corporate/operation/{operation_id}/acam",
    hasBody: true,
    creates: true,
    follows: "createOperation",
  },
  createBatch: { method: "POST", path: "/batches", hasBody: true, creates: true },
  listBatches: { method: "GET", path: "/batches", hasBody: false, creates: false },
} as const satisfies Record<string, OperationRow>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as readonly OperationName[];

/** Returns the method and the path template of an operation, such as `POST /batches`. */
export function operationTitle(name: OperationName): string {
  return `${operations[name].method} ${operations[name].path}`;
}

/**
 * Returns the named operations and all that must succeed before them (`follows`), in the order of
 * the specification.
 */
export function withPredecessors(names: readonly OperationName[]): readonly OperationName[] {
  const all = new Set(names.flatMap(chainOf));
  return operationNames.filter((name) => all.has(name));
}

function chainOf(name: OperationName): readonly OperationName[] {
  const row = operations[name];
  return "follows" in row ? [...chainOf(row.follows), name] : [name];
}
