interface OperationRow {
  readonly method: "GET" | "POST";
  /** The path template, relative to the base URL. */
  readonly path: string;
  /** Whether requests have a body (specification, Endpoints). */
  readonly hasBody: boolean;
  /** What requests present: the API key, or the token that it was exchanged for (Authentication). */
  readonly credential: "key" | "token";
  /** Whether a success creates a resource on the target. A token is not a resource. */
  readonly creates: boolean;
  /** The operation that must succeed first, because a valid request names what it created. */
  readonly follows?: string;
}

/** The six operations of the API by their `operationId` in `openapi.yaml`. */
export const operations = {
  createToken: {
    method: "POST",
    path: "/auth/token",
    hasBody: false,
    credential: "key",
    creates: false,
  },
  createCounterparty: {
    method: "POST",
    path: "/customers/{customer_id}/counterparty",
    hasBody: true,
    credential: "token",
    creates: true,
  },
  createOperation: {
    method: "POST",
    path: "/corporate/operation",
    hasBody: true,
    credential: "token",
    creates: true,
    follows: "createCounterparty",
  },
  addAcamItem: {
    method: "POST",
    path: "/corporate/operation/{operation_id}/acam",
    hasBody: true,
    credential: "token",
    creates: true,
    follows: "createOperation",
  },
  createBatch: {
    method: "POST",
    path: "/batches",
    hasBody: true,
    credential: "token",
    creates: true,
  },
  listBatches: {
    method: "GET",
    path: "/batches",
    hasBody: false,
    credential: "token",
    creates: false,
  },
} as const satisfies Record<string, OperationRow>;

export type OperationName = keyof typeof operations;
export type TokenOperation = {
  [Name in OperationName]: (typeof operations)[Name]["credential"] extends "token" ? Name : never;
}[OperationName];
export const operationNames = Object.keys(operations) as readonly OperationName[];

/** Whether the requests of an operation present a token. Those of the token endpoint present a key. */
export function takesToken(name: OperationName): name is TokenOperation {
  return operations[name].credential === "token";
}

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
