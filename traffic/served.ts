import { defined } from "../model/defined.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bundledContract } from "../harness/contract.ts";
import { fieldOf, fieldsOf } from "../model/exchange.ts";
import type { ClientFinding } from "../model/run.ts";
import { createTrafficJudge } from "./judge.ts";
import { createCaptures } from "./proxy/capture.ts";
import { watchedOf, type Captured } from "./proxy/captured.ts";

/** What is watched. */
export interface ServedOptions {
  /** Of the server, once it listens. */
  readonly baseUrl: Promise<string>;
  readonly onClientFinding: (finding: ClientFinding) => void;
}

/**
 * Watches the requests to a server of this process for rules that clients break. Leaves out requests of fxconform
 * itself, which break rules on purpose.
 */
export const watchClients = (
  options: ServedOptions,
): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const captures = createCaptures();
  const judge = options.baseUrl.then((baseUrl) => judgeOf(baseUrl, options.onClientFinding));
  return (request, response) => {
    if (fieldOf(fieldsOf(request.rawHeaders), "user-agent")?.startsWith("fxconform/") === true) return;
    const startedAt = Date.now();
    const [sent, received] = [captures(), captures()];
    request.on("data", sent.add);
    tap(response, received.add);
    response.once("close", () => {
      const [requestBody, responseBody] = [sent.taken(), received.taken()];
      const took = Date.now() - startedAt;
      const captured: Captured = {
        method: request.method ?? "GET",
        url: request.url ?? "/",
        requestHeaders: fieldsOf(request.rawHeaders),
        status: response.statusCode,
        statusText: response.statusMessage,
        responseHeaders: Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
        ...defined({ requestBody, responseBody }),
        startedAt,
        waited: took,
        took,
      };
      // The server must continue even if watching fails.
      judge.then((take) => take(captured)).catch(() => undefined);
    });
  };
};

const judgeOf = async (
  baseUrl: string,
  onClientFinding: ServedOptions["onClientFinding"],
): Promise<(captured: Captured) => void> => {
  const { origin } = new URL(baseUrl);
  const options = {
    selection: [],
    strict: false,
    statement: [],
    baseline: [],
    keepValues: false,
    secretHeaders: [],
    replayCommand: "",
  };
  const document = await bundledContract();
  const startedAt = Date.now();
  const judge = createTrafficJudge(options, { document, baseUrl, startedAt, isComplete: true, onClientFinding });
  let number = 0;
  return (captured) => {
    const watched = watchedOf({ ...captured, url: origin + captured.url }, (number += 1));
    judge.learn(watched);
    judge.judge(watched);
  };
};

/** Passes on what is written, and a copy of it to `take`. */
const tap = (response: ServerResponse, take: (chunk: Uint8Array) => void): void => {
  const tapped = (name: "write" | "end") => {
    const passOn = response[name].bind(response) as (...given: readonly unknown[]) => unknown;
    return (...given: readonly unknown[]): unknown => {
      const [chunk] = given;
      if (typeof chunk === "string" || chunk instanceof Uint8Array) take(Buffer.from(chunk));
      return passOn(...given);
    };
  };
  Object.assign(response, { write: tapped("write"), end: tapped("end") });
};
