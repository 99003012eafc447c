import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { manner, target } from "../harness/testing/target.ts";
import type { RunOptions } from "./options.ts";
import { preflight, reachability } from "./preflight.ts";

/** Options for a server that answers as the function says. */
async function asked(
  handle: (request: IncomingMessage, answer: (status: number, body: unknown) => void) => void,
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
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target: { ...target, baseUrl, apiKey: "reference-key-123" },
    manner: { ...manner, profile: "smoke", timeout: 2000, ...more },
    strict: false,
    statement: [],
    baseline: [],
    replayArguments: "",
  };
}

test("tokens that the preflight gets are secrets of the run, of refusals too", async () => {
  let requests = 0;
  const options = await asked((_, answer) => {
    requests += 1;
    if (requests === 1) answer(400, { message: "no", token: "refused-token-1" });
    else answer(200, { token: `token-number-${requests}` });
  });
  const secrets: string[] = [];
  const { tokens } = await reachability(options, { onSecret: (secret) => secrets.push(secret) });
  expect(tokens).toEqual(["refused-token-1", "token-number-2"]);
  expect(secrets).toEqual(["reference-key-123", ...tokens]);
});

test("a secret is taken out of a long message before that is cut", async () => {
  for (let before = 130; before <= 160; before += 3) {
    const message = `${"x".repeat(before)}reference-key-123`;
    const options = await asked((_, answer) => answer(401, { message }));
    const text = JSON.stringify(await preflight(options));
    expect(text).toContain("xxx");
    expect(text).not.toContain("refer");
  }
});
