import { request } from "node:http";
import { get as getOverTls } from "node:https";
import type { Agent, IncomingHttpHeaders } from "node:http";

/** A response; `body` is empty if the text is not a JSON object. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Sends one request over plain HTTP, on a new connection unless an agent is given; rejects after `timeout` milliseconds. */
export function sendOnce(
  url: string,
  method: string,
  body?: string | Buffer,
  headers: Headers = {},
  timeout = 5_000,
  agent: Agent | false = false,
): Promise<Received> {
  return new Promise<Received>((resolve, reject) => {
    const present = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const signal = AbortSignal.timeout(timeout);
    const sending = request(url, { method, headers: { ...length, ...present }, agent, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: objectOf(text) });
      });
    });
    sending.on("error", reject).end(body);
  });
}

/** The status of a response over TLS, with this certificate trusted. */
export const statusOver = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    getOverTls(url, { ca }, (response) => resolve(response.resume().statusCode)).on("error", reject);
  });

function objectOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** A bank account that any server accepts. */
export const account = {
  bank_name: "Commerzbank",
  swift_code: "COBADEFF",
  bank_country: "DE",
  account_number: "532013000",
  iban: "DE89370400440532013000",
};

/** A client with a token. */
export interface Client {
  readonly token: string;
  readonly send: (method: string, path: string, body?: string | Buffer, headers?: Headers) => Promise<Received>;
  readonly get: (path: string) => Promise<Received>;
  readonly post: (path: string, body: unknown) => Promise<Received>;
  /** Creates one and returns its id. */
  readonly counterparty: (body?: Record<string, unknown>) => Promise<string>;
  readonly operation: (body: Record<string, unknown>) => Promise<Received>;
}

/** Gets a token and sends requests with it. Rejects if it gets none. */
export async function clientOf(
  baseUrl: string,
  { apiKey, customerId }: { readonly apiKey: string; readonly customerId: string },
): Promise<Client> {
  const { status, body } = await sendOnce(`${baseUrl}/auth/token`, "POST", undefined, { "x-api-key": apiKey });
  if (typeof body["token"] !== "string") throw new Error(`No token: ${status}`);
  const token = body["token"];
  const send: Client["send"] = (method, path, content, headers = {}) =>
    sendOnce(`${baseUrl}${path}`, method, content, {
      authorization: `Bearer ${token}`,
      ...(content === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    });
  const post: Client["post"] = (path, content) => send("POST", path, JSON.stringify(content));
  return {
    token,
    send,
    post,
    get: (path) => send("GET", path),
    counterparty: async (content = { name: "Somebody", bank_account: account }) =>
      String((await post(`/customers/${customerId}/counterparty`, content)).body["id"]),
    operation: (content) =>
      post("/corporate/operation", {
        currency_amount: 100,
        operation_purpose: "EFX",
        currency_pair: "USDBRL",
        ...content,
      }),
  };
}
