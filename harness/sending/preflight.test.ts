import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { preflightAt } from "../testing/preflight.ts";

/** What the preflight finds out about a server that answers as the function says. */
async function preflightOf(
  answer: (response: ServerResponse) => void,
  apiKey = "reference-key-123",
) {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume().on("end", () => answer(response));
  });
  return preflightAt({ baseUrl: `http://127.0.0.1:${await listening(server)}`, apiKey });
}

test("tokens that the preflight gets are secrets of the run, of refusals too", async () => {
  const answers = [
    [400, { message: "no", token: "refused-token-1" }],
    [200, { token: "token-number-2" }],
  ] as const;
  let requests = 0;
  const { isGood, secrets, tokens } = await preflightOf((response) => {
    const [status, body] = answers[requests] ?? [500, {}];
    requests += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  expect([isGood, secrets]).toEqual([
    true,
    ["reference-key-123", "refused-token-1", "token-number-2"],
  ]);
  expect(tokens).toEqual(["token-number-2"]);
});

test("what a gateway says in place of the server is reported, with the advice to add its header", async () => {
  const { isGood, steps } = await preflightOf((response) => {
    response.writeHead(403, { "content-type": "text/html" }).end("<html><title>No key</title>");
  });
  const step = steps.find(({ ok }) => !ok) ?? expect.fail("every step passed");
  expect([isGood, step.found]).toEqual([false, expect.stringContaining("No key")]);
  expect(step.advice).toContain('--header "Name: value"');
});

test("a key that no header can carry is not sent, and says so", async () => {
  let requests = 0;
  const { isGood, steps } = await preflightOf((response) => {
    requests += 1;
    response.writeHead(200).end();
  }, "k".repeat(20_000));
  expect([isGood, requests]).toEqual([false, 0]);
  expect(steps).toMatchObject([
    { step: "key", found: "the API key has 20000 characters, which no header can carry" },
  ]);
});

test("a page in place of the API is said to be one, with the base URL", async () => {
  const { steps } = await preflightOf((response) => {
    response
      .writeHead(404, { "content-type": "text/html" })
      .end("<html><title>404 Not Found</title><h1>Not Found</h1><p>nginx</p>");
  });
  expect(steps.at(-1)).toMatchObject({
    step: "key",
    found: 'POST /auth/token answers with 404 with an HTML page, "404 Not Found"',
    advice: expect.stringMatching(
      /^The base URL http:.* has no path: is the API below one, such as \/api\?$/,
    ),
  });
});
