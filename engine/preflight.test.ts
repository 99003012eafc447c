import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createRedaction } from "../harness/recording/redaction.ts";
import { secretsOf } from "../model/target.ts";
import { settings, target } from "../model/testing/target.ts";
import type { RunOptions } from "../model/run-options.ts";
import { reachability } from "./preflight.ts";
import { listening } from "../model/testing/listening.ts";

/** A worker with nothing left to load. */
const loaded = { begun: Promise.resolve(), loaded: Promise.resolve() };
const beginning = { runId: "runid234", load: () => loaded, take: () => undefined };

/** Options for a server that responds as the function says. */
async function optionsFor(
  handle: (request: IncomingMessage, response: (status: number, body: unknown) => void) => void,
  more: { readonly profile?: "smoke" | "full"; readonly rate?: number } = {},
): Promise<RunOptions> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume().on("end", () =>
      handle(request, (status, body) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      }),
    );
  });
  const baseUrl = `http://127.0.0.1:${await listening(server)}`;
  return {
    target: { ...target, baseUrl, apiKey: "reference-key-123" },
    settings: { ...settings, profile: "smoke", timeout: 2000, ...more },
    strict: false,
    statement: [],
    baseline: [],
  };
}

test("tokens that the preflight gets are secrets of the run, of refusals too", async () => {
  let requests = 0;
  const options = await optionsFor((_, response) => {
    requests += 1;
    if (requests === 1) response(400, { message: "no", token: "refused-token-1" });
    else response(200, { token: `token-number-${requests}` });
  });
  const secrets: string[] = [];
  const { tokens } = await reachability(
    options,
    {},
    createRedaction((secret) => secrets.push(secret), secretsOf(options.target)),
    beginning,
  );
  expect(tokens).toEqual(["refused-token-1", "token-number-2"]);
  expect(secrets).toEqual(["reference-key-123", ...tokens]);
});

test.each([
  [
    403,
    "text/html",
    "<html><head><title>No</title></head><body><h1>Forbidden &mdash; no key</h1></body></html>",
    "no key",
  ],
  [401, "application/json", '{"error":"missing subscription key"}', "missing subscription key"],
  [200, "text/html", "<p>Please sign in</p>", "Please sign in"],
])(
  "what a gateway says in place of the server is reported, with the advice to add its header: %i %s",
  async (...row) => {
    const [status, type, page, words] = row;
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status, { "content-type": type }).end(page));
    });
    const options = await optionsFor(() => undefined);
    const baseUrl = `http://127.0.0.1:${await listening(server)}`;
    const whole = { ...options, target: { ...options.target, baseUrl } };
    const { steps } = await reachability(whole, {}, createRedaction(), beginning);
    const step = steps.find(({ ok }) => !ok) ?? expect.fail("every step passed");
    expect(step.found).toContain(words);
    expect(step.advice).toContain('--header "Name: value"');
  },
);
