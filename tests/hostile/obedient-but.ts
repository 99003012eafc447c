import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { startReference } from "../../reference/server.ts";
import { routeOf } from "../../reference/application.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Running } from "./hostile-target.ts";
import { listening } from "./listening.ts";

/** The key and the customer of every run against a hostile target. */
export const credentials = { apiKey: "hostile-key-5f1d0c77", customerId: "customer-1" } as const;

/** An answer of the obedient server. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request to a server that obeys until it misbehaves. */
export interface Call {
  /** The operation of the request. Absent if no endpoint has this path and method. */
  readonly operation: OperationName | undefined;
  /** The number of the request among all, from 1. */
  readonly nth: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  /** Lets the obedient server perform the request, and returns its response. */
  readonly obedient: () => Promise<Answer>;
  /** Sends a response. */
  readonly send: (answer: Answer) => void;
}

/** A server that may misbehave before it passes requests on to the reference server. */
export async function obedientBut(
  misbehave: (call: Call) => Promise<void> | void,
): Promise<Running> {
  const reference = await startReference(credentials);
  const agent = new Agent({ keepAlive: true });
  let nth = 0;
  const server = createServer((request, response) => {
    response.on("error", () => response.destroy());
    void (async () => {
      const { method = "", url = "" } = request;
      const { operation } = routeOf(method, url.split("?")[0] ?? "");
      const body = await buffer(request);
      nth += 1;
      await misbehave({
        operation,
        nth,
        request,
        response,
        body,
        obedient: () => forwarded(reference.port, { body, request }, agent),
        send: ({ status, headers, body: text }) =>
          response.destroyed ? undefined : response.writeHead(status, headers).end(text),
      });
    })().catch(() => response.destroy());
  });
  const running = await listening(server);
  return {
    ...running,
    close: async () => {
      await running.close();
      agent.destroy();
      await reference.close();
    },
  };
}

/** A server that obeys, except that its responses are changed. */
export function obedientButFor(change: (answer: Answer, call: Call) => Answer): Promise<Running> {
  return obedientBut(async (call) => call.send(change(await call.obedient(), call)));
}

/** A server that obeys, except that the successes of one operation are changed. */
export function obedientButIn(
  operation: OperationName,
  change: (answer: Answer) => Answer,
): () => Promise<Running> {
  return () =>
    obedientButFor((answer, call) =>
      call.operation === operation && isSuccess(answer) ? change(answer) : answer,
    );
}

/** A server that obeys, except that `write` writes the raw bytes of each list. */
export function listAs(write: (answer: Answer, call: Call) => void): () => Promise<Running> {
  return () =>
    obedientBut(async (call) => {
      const answer = await call.obedient();
      if (call.operation !== "listBatches" || !isSuccess(answer)) return call.send(answer);
      write(answer, call);
    });
}

/** A server that obeys, but never responds to the requests that `picks` selects. */
export function silentFor(picks: (call: Call) => boolean): () => Promise<Running> {
  return () =>
    obedientBut(async (call) => {
      if (!picks(call)) call.send(await call.obedient());
    });
}

/** The response with another JSON body. */
export function withJson(
  answer: Answer,
  change: (body: Record<string, unknown>) => unknown,
): Answer {
  const json = change(JSON.parse(answer.body.toString()) as Record<string, unknown>);
  return withBody(answer, JSON.stringify(json));
}

/** The response with another body and its length. */
export function withBody(answer: Answer, body: string | Buffer): Answer {
  const bytes = Buffer.from(body);
  return {
    ...answer,
    headers: { ...answer.headers, "content-length": String(bytes.length) },
    body: bytes,
  };
}

/** Whether a response has a 2xx status. */
export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

interface Onward {
  readonly body: Buffer;
  readonly request: IncomingMessage;
}

function forwarded(port: number, { body, request }: Onward, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, url: path } = request;
    const { "content-length": _l, "transfer-encoding": _t, ...headers } = request.headers;
    if (method !== "GET") headers["content-length"] = String(body.length);
    const onward = sendRequest(
      { host: "127.0.0.1", port, method, path, headers, agent },
      (answer) => {
        buffer(answer).then((bytes) => {
          const {
            connection: _c,
            "keep-alive": _k,
            "transfer-encoding": _e,
            ...rest
          } = answer.headers;
          const fields = Object.entries(rest).map(([name, value]) => [name, String(value)]);
          resolve({
            status: answer.statusCode ?? 0,
            headers: { ...Object.fromEntries(fields), "content-length": String(bytes.length) },
            body: bytes,
          });
        }, reject);
      },
    );
    onward.on("error", reject).end(body);
  });
}
