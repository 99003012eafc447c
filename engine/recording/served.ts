import type { IncomingMessage } from "node:http";
import { bundledContract } from "../../spec/bundle.ts";
import { bounds } from "../../model/bounds.ts";
import { fieldsOf, parsedJson } from "../../model/exchange.ts";
import type { ClientFinding } from "../../model/run.ts";
import { createClientFindings } from "./client-findings.ts";
import { createLearnt } from "./reading.ts";
import { matchOf } from "./watched.ts";

/**
 * Returns a function that watches a request to a server in this process. Calls `onClientFinding`
 * once for each rule that requests break, whatever the server answers.
 */
export function watchClients(
  onClientFinding: (finding: ClientFinding) => void,
): (request: IncomingMessage) => void {
  const learnt = bundledContract().then((document) => createLearnt(document, true));
  const clients = createClientFindings((text) => text);
  const watched = async (
    { method = "GET", url = "/", rawHeaders }: IncomingMessage,
    body?: Buffer,
  ): Promise<void> => {
    const headers = fieldsOf(rawHeaders);
    const request = {
      method,
      url: `http://localhost${url}`,
      headers,
      body,
      json: body && parsedJson(body),
    };
    const match = matchOf(request);
    if (match === undefined) return;
    const seen = {
      request,
      response: unseen,
      withoutRequestBody: false,
      withBytes: false,
      startedAt: 0,
      place: "served",
    };
    const { exchange, rules } = (await learnt).read(seen, match);
    for (const finding of clients.add(exchange, rules, seen.place)) onClientFinding(finding);
  };
  return (request) => {
    const sent: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bounds.requestBody) sent.push(chunk);
      else sent.length = 0;
    });
    request.once("close", () => {
      if (size > bounds.requestBody) return;
      // The server must go on even if watching fails.
      watched(request, sent.length === 0 ? undefined : Buffer.concat(sent)).catch(() => undefined);
    });
  };
}

const unseen = {
  status: 200,
  statusText: "",
  headers: [],
  body: Buffer.alloc(0),
  waited: 0,
  took: 0,
};
