import type { IncomingMessage, ServerResponse } from "node:http";
import { bundledContract } from "../harness/contract.ts";
import { decodedBody, type ReadBody } from "../harness/transport/client.ts";
import { defined } from "../model/defined.ts";
import { fieldsOf, parsedJson, type ReceivedResponse } from "../model/exchange.ts";
import type { ClientFinding } from "../model/run.ts";
import { isOfRun } from "./client-findings.ts";
import { matchOf } from "./addresses.ts";
import { createClientFindings } from "./client-findings.ts";
import { compileResponseSchemas } from "../harness/judging/response-schemas.ts";
import { createLearnt } from "./judging/learnt.ts";
import { createReading } from "./judging/reading.ts";
import type { Watched } from "./watched.ts";

/** What is watched. */
export interface ServedOptions {
  /** Of the server, once it listens. */
  readonly baseUrl: Promise<string>;
  readonly onClientFinding: (finding: ClientFinding) => void;
}

/** Bytes of a body above which it is not judged, before and after decoding. */
const longestBody = 4 * 2 ** 20;

/**
 * Watches the requests to a server of this process for rules that clients break. Leaves out requests of fxconform
 * itself, which break rules on purpose.
 */
export const watchClients = (
  options: ServedOptions,
): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const watch = options.baseUrl.then((baseUrl) => watchOf(baseUrl, options.onClientFinding));
  return (request, response) => {
    const headers = fieldsOf(request.rawHeaders);
    if (isOfRun(headers)) return;
    const startedAt = Date.now();
    const [sent, answered] = [createCopy(), createCopy()];
    request.on("data", sent.add);
    tap(response, answered.add);
    response.once("close", () => {
      const body = sent.whole();
      const took = Date.now() - startedAt;
      // The server must continue even if watching fails.
      watch
        .then((take) =>
          take({
            request: {
              method: request.method ?? "GET",
              url: request.url ?? "/",
              headers,
              body: body?.length === 0 ? undefined : body,
              json: body && parsedJson(body),
            },
            response: receivedOf(response, answered.whole(), took),
            withoutRequestBody: body === undefined,
            withBytes: true,
            startedAt,
            place: "served",
          }),
        )
        .catch(() => undefined);
    });
  };
};

/** A copy of a body that passes; undefined if it is too long to be judged. */
const createCopy = () => {
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add: (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= longestBody) chunks.push(chunk);
      else chunks = [];
    },
    whole: (): Buffer | undefined => (size <= longestBody ? Buffer.concat(chunks) : undefined),
  };
};

const receivedOf = (response: ServerResponse, body: Buffer | undefined, took: number): ReceivedResponse => {
  const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  const { statusCode: status, statusMessage: statusText } = response;
  const read: ReadBody =
    body === undefined
      ? { bytes: Buffer.alloc(0), defect: { kind: "missing", text: "the body is too long to be judged" } }
      : decodedBody(body, headers, longestBody);
  return { status, statusText, headers, body: read.bytes, waited: took, took, ...defined({ defect: read.defect }) };
};

const watchOf = async (
  baseUrl: string,
  onClientFinding: ServedOptions["onClientFinding"],
): Promise<(watched: Watched) => void> => {
  const { origin } = new URL(baseUrl);
  const document = await bundledContract();
  const { learn, read } = createLearnt(createReading(document), compileResponseSchemas(document), true);
  const clients = createClientFindings((text) => text);
  return ({ request, ...rest }) => {
    const watched = { ...rest, request: { ...request, url: origin + request.url } };
    const match = matchOf(request.method, watched.request.url);
    if (match === undefined) return;
    learn(watched, match);
    const { exchange, rules } = read(watched, match);
    for (const finding of clients.add(exchange, rules, watched.place)) onClientFinding(finding);
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
