import type { OperationName } from "../spec/operations.ts";
import {
  type Answer,
  type Call,
  type Change,
  type Policy,
  Refusal,
  emptyStore,
  type RawResponse,
} from "./policy.ts";
import { randomBytes, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { checkCall, performCall } from "./endpoints.ts";

export type Received = Pick<Call, "method" | "url" | "headers" | "bytes" | "idle" | "connection">;

export function policyOf(changes: readonly Change[]): Policy {
  return changes.reduce((base, change) => ({ ...base, ...change(base) }), obedience);
}

/**
 * Makes the server without its connections: a function that answers each request, and stores what
 * requests create.
 */
export function applicationOf(
  policy: Policy,
  { apiKey, customerId }: Pick<Call, "apiKey" | "customerId">,
) {
  const store = emptyStore();
  policy.seed(store, policy);
  const counts = new Map<OperationName | undefined, number>();

  return async (received: Received): Promise<readonly [Answer, Call]> => {
    const [whole = "/", query = ""] = received.url.split("?", 2);
    const path = whole.startsWith(`${policy.basePath}/`) ? whole.slice(policy.basePath.length) : "";
    const route = routeOf(received.method, path);
    const nth = (counts.get(route.operation) ?? 0) + 1;
    counts.set(route.operation, nth);
    const own = { policy, store, apiKey, customerId, body: undefined };
    const call: Call = {
      ...received,
      ...route,
      ...own,
      path,
      nth,
      query: new URLSearchParams(query),
    };
    return [await policy.around(call, grant).catch(ourFault), call];
  };
}

async function grant(call: Call): Promise<Answer> {
  try {
    if (call.operation === undefined) throw noEndpoint(call);
    for (const step of call.policy.order) steps[step](call);
    return await call.policy.perform(call);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.answer;
  }
}

const steps = { authenticate, read } as const satisfies Record<
  Policy["order"][number],
  (call: Call) => void
>;

function authenticate(call: Call): void {
  if (call.operation === "createToken") {
    if (!call.policy.admitsKey(call.headers["x-api-key"]?.toString(), call))
      throw new Refusal(401, "key", "The API key is missing or not known");
    return;
  }
  const token = call.policy.tokenIn(call.headers.authorization, call);
  if (token === undefined || !call.policy.admitsToken(token, call))
    throw new Refusal(401, "token", "The access token is missing, not known or no longer valid", {
      "www-authenticate": "Bearer",
    });
}

function read(call: Call): void {
  if (call.operation === "createToken" || call.operation === "listBatches") return;
  call.body = call.policy.parse(call);
  call.policy.check(call);
}

function noEndpoint({ path }: Call): Refusal {
  const allowed = methodsAt(path);
  return allowed.length === 0
    ? new Refusal(404, "path", "There is nothing at this path")
    : new Refusal(405, "method", `This path takes ${allowed.join(" and ")}`, {
        allow: allowed.join(", "),
      });
}

function ourFault(error: unknown): Answer {
  return {
    status: 500,
    headers: {},
    body: {
      message: `The reference server is broken: ${error instanceof Error ? error.message : String(error)}`,
    },
  };
}

interface Route {
  readonly method: string;
  /** Matches the path. A group in it is the path parameter as it was sent. */
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

/**
 * Finds the endpoint of a request, and its decoded path parameter, which is empty if the path has
 * none. `operation` is absent if no endpoint has this method and path.
 */
export function routeOf(
  method: string,
  path: string,
): { operation?: OperationName; parameter: string } {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { operation: route.operation, parameter: decoded(match[1] ?? "") };
  }
  return { parameter: "" };
}

export function methodsAt(path: string): readonly string[] {
  return routes.filter((route) => route.path.test(path)).map((route) => route.method);
}

/** Decodes a part of a path. A part with invalid escapes stays as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const obedience: Policy = {
  basePath: "",
  seed: () => {},
  newId: () => randomUUID(),
  newToken: () => randomBytes(24).toString("base64url"),
  timestamp: (time) => time.toISOString(),
  around: (call, next) => next(call),
  order: ["authenticate", "read"],
  admitsKey: (key, call) => key === call.apiKey,
  tokenIn: (authorization) => /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1],
  admitsToken: (token, call) => call.store.tokens.has(token),
  parse: jsonIn,
  check: checkCall,
  purposes: new Set(["EFX", "IMPORT", "EXPORT", "SERVICES"]),
  customer: (id, call) => {
    if (id !== call.customerId) throw new Refusal(404, "customer", "There is no such customer");
  },
  findCounterparty: (id, call) => call.store.counterparties.get(id),
  findOperation: (id, call) => call.store.operations.get(id),
  takes: ({ batch, pair }, wanted) => batch === null && pair === wanted,
  listed: (call) => call.store.batches.toReversed(),
  perform: performCall,
  serialise: (body) => JSON.stringify(body),
  encode: rawResponseOf,
  deliver: send,
};

function jsonIn(call: Call): unknown {
  if (call.bytes.length === 0) throw new Refusal(400, "malformed", "The body is empty");
  if (!/^application\/json *(;|$)/i.test(call.headers["content-type"] ?? ""))
    throw new Refusal(415, "media type", "The body is not declared as application/json");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(call.bytes));
  } catch {
    throw new Refusal(400, "malformed", "The body is not well-formed JSON");
  }
}

function rawResponseOf(answer: Answer, call: Call): RawResponse {
  const text =
    answer.text ?? (answer.body === undefined ? "" : call.policy.serialise(answer.body, call));
  const bytes = Buffer.from(text);
  const type: Record<string, string> =
    bytes.length === 0 ? {} : { "content-type": "application/json" };
  return {
    status: answer.status,
    headers: {
      ...type,
      "x-request-id": randomUUID(),
      "content-length": String(bytes.length),
      ...answer.headers,
    },
    bytes,
  };
}

function send(raw: RawResponse, response: ServerResponse): void {
  if (raw.reason === undefined) response.writeHead(raw.status, raw.headers);
  else response.writeHead(raw.status, raw.reason, raw.headers);
  response.end(raw.bytes);
}
