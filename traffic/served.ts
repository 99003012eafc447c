import type { IncomingMessage, ServerResponse } from "node:http";
import { bundledContract } from "../harness/contract.ts";
import { decodedBody } from "../harness/transport/client.ts";
import { defined } from "../model/defined.ts";
import { fieldsOf, parsedJson, type ReceivedResponse } from "../model/exchange.ts";
import type { ClientFinding } from "../model/run.ts";
import { createClientFindings, isOfRun } from "./client-findings.ts";
import { createLearnt } from "./learnt.ts";
import { matchOf, type Watched } from "./watched.ts";

/** Bytes of a response's body after decoding above which it is not judged. */
const longestBody = 4 * 2 ** 20;

/** Watches the requests to a server of this process for rules that clients break, but for those of fxconform. */
export const watchClients = (options: {
  readonly baseUrl: Promise<string>;
  readonly onClientFinding: (finding: ClientFinding) => void;
}): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const watch = options.baseUrl.then((baseUrl) => watchOf(baseUrl, options.onClientFinding));
  return (request, response) => {
    const headers = fieldsOf(request.rawHeaders);
    if (isOfRun(headers)) return;
    const startedAt = Date.now();
    const sent: Buffer[] = [];
    const answered: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void sent.push(chunk));
    tap(response, (chunk) => void answered.push(chunk));
    response.once("close", () => {
      const body = sent.length === 0 ? undefined : Buffer.concat(sent);
      const { method = "GET", url = "/" } = request;
      const watched = {
        request: { method, url, headers, body, json: body && parsedJson(body) },
        response: receivedOf(response, Buffer.concat(answered), Date.now() - startedAt),
        withoutRequestBody: false,
        withBytes: true,
        startedAt,
        place: "served",
      };
      // The server must continue even if watching fails.
      watch.then((take) => take(watched)).catch(() => undefined);
    });
  };
};

const receivedOf = (response: ServerResponse, sent: Buffer, took: number): ReceivedResponse => {
  const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  const { statusCode: status, statusMessage: statusText } = response;
  const { bytes: body, defect } = decodedBody(sent, headers, longestBody);
  return { status, statusText, headers, body, waited: took, took, ...defined({ defect }) };
};

const watchOf = async (baseUrl: string, onClientFinding: (finding: ClientFinding) => void) => {
  const { origin } = new URL(baseUrl);
  const { learn, read } = createLearnt(await bundledContract(), true);
  const clients = createClientFindings((text) => text);
  return ({ request, ...rest }: Watched): void => {
    const watched = { ...rest, request: { ...request, url: origin + request.url } };
    const match = matchOf(watched.request);
    if (match === undefined) return;
    learn(watched, match);
    const { exchange, rules } = read(watched, match);
    for (const finding of clients.add(exchange, rules, watched.place)) onClientFinding(finding);
  };
};

/** Passes on what is written, and a copy of it to `take`. */
const tap = (response: ServerResponse, take: (chunk: Buffer) => void): void => {
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
