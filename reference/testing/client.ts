import { get as getOverTls } from "node:https";

/** A response; `body` is empty if the text is not a JSON object. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
}

/** Header fields; an undefined one is not sent. */
type Headers = Readonly<Record<string, string | undefined>>;

/** Sends one request. Rejects if there is no response within five seconds. */
export async function sendOnce(
  url: string,
  method: string,
  body?: string | Buffer,
  headers: Headers = {},
): Promise<Received> {
  const present = Object.entries(headers).filter((field): field is [string, string] => field[1] !== undefined);
  const content = body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) };
  const signal = AbortSignal.timeout(5_000);
  const response = await fetch(url, { method, headers: present, redirect: "manual", signal, ...content });
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), body: objectOf(text) };
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
export type Client = Awaited<ReturnType<typeof clientOf>>;

/** Gets a token and sends requests with it. Rejects if it gets none. */
export async function clientOf(baseUrl: string, { apiKey }: { readonly apiKey: string }) {
  const { status, body } = await sendOnce(`${baseUrl}/auth/token`, "POST", undefined, { "x-api-key": apiKey });
  if (typeof body["token"] !== "string") throw new Error(`No token: ${status}`);
  const authorization = `Bearer ${body["token"]}`;
  const send = (method: string, path: string, content?: string | Buffer, headers: Headers = {}) =>
    sendOnce(baseUrl + path, method, content, { authorization, "content-type": "application/json", ...headers });
  return { send, post: (path: string, content: unknown) => send("POST", path, JSON.stringify(content)) };
}
