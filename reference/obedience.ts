import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { ServerResponse } from "node:http";
import { checkCall } from "./checks.ts";
import { performCall } from "./endpoints.ts";
import { type Answer, type Call, type Policy, type RawResponse, Refusal } from "./policy.ts";

export const obedience: Policy = {
  basePath: "",
  seed: () => {},
  newId: () => randomUUID(),
  newToken: () => randomBytes(24).toString("base64url"),
  timestamp: (time) => time.toISOString(),
  around: (call, next) => next(call),
  order: ["authenticate", "read"],
  admitsKey: (key, call) => key !== undefined && equal(key, call.apiKey),
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
  listed: (call) => call.store.batches.toReversed(),
  perform: performCall,
  serialise: (body) => JSON.stringify(body),
  encode: rawResponseOf,
  deliver: send,
};

/** Takes the same time wherever the texts differ. */
function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

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
  const text = answer.text ?? (answer.body === undefined ? "" : call.policy.serialise(answer.body, call));
  const bytes = Buffer.from(text);
  const type: Record<string, string> = bytes.length === 0 ? {} : { "content-type": "application/json" };
  return {
    status: answer.status,
    headers: { ...type, "x-request-id": randomUUID(), "content-length": String(bytes.length), ...answer.headers },
    bytes,
  };
}

function send(raw: RawResponse, response: ServerResponse): void {
  if (raw.reason === undefined) response.writeHead(raw.status, raw.headers);
  else response.writeHead(raw.status, raw.reason, raw.headers);
  response.end(raw.bytes);
}
