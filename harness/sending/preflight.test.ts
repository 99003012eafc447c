import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { preflightAt } from "../testing/preflight.ts";

test("tokens that the preflight gets are secrets of the run, of refusals too", async () => {
  const answers = [
    [400, { message: "no", token: "refused-token-1" }],
    [200, { token: "token-number-2" }],
  ] as const;
  let requests = 0;
  const server = createServer((_, response) => {
    const [status, body] = answers[requests] ?? [500, {}];
    requests += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const baseUrl = `http://127.0.0.1:${await listening(server)}`;
  const { isGood, secrets, tokens } = await preflightAt({ baseUrl, apiKey: "key-123456" });
  expect([isGood, secrets, tokens]).toEqual([
    true,
    ["key-123456", "refused-token-1", "token-number-2"],
    ["token-number-2"],
  ]);
});
