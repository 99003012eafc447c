import type { OperationName } from "../spec/operations.ts";

interface Route {
  readonly method: string;
  /** The first group is the path parameter, as sent. */
  readonly path: RegExp;
  readonly operation: OperationName;
}

const routes: readonly Route[] = [
  { method: "POST", path: /^\/auth\/token$/, operation: "createToken" },
  { method: "POST", path: /^\/customers\/([^/]+)\/counterparty$/, operation: "createCounterparty" },
  { method: "POST", path: /^\/corporate\/operation$/, operation: "createOperation" },
  { method: "POST", path: /^\/corporate\/operation\/([^/]+)\/acam$/, operation: "addAcamItem" },
  { method: "POST", path: /^\/batches$/, operation: "createBatch" },
  { method: "GET", path: /^\/batches$/, operation: "listBatches" },
];

/** The endpoint of a request and its decoded path parameter, which is empty if the path has none. */
export function routeOf(method: string, path: string): { operation?: OperationName; parameter: string } {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { operation: route.operation, parameter: decoded(match[1] ?? "") };
  }
  return { parameter: "" };
}

/** Methods that a path accepts; none if there is nothing at the path. */
export const methodsAt = (path: string): readonly string[] =>
  routes.filter((route) => route.path.test(path)).map((route) => route.method);

/** A segment with invalid escapes stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
