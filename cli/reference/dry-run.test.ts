import { createServer } from "node:http";
import { expect, test } from "vitest";
import { testContext } from "../testing/test-context.ts";
import { concluded } from "../../reports/testing/runs.ts";
import { listening } from "../../model/testing/listening.ts";

test("a dry run sends nothing to the target, writes nothing and prints what was counted", async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  const address = `http://127.0.0.1:${await listening(server)}`;
  const { run } = testContext((_, control) => {
    control?.onScenario?.("a token is issued");
    return Promise.resolve(concluded({ profile: "smoke" }));
  });
  const words = `run --dry-run --base-url ${address} --api-key key-0123456789 --profile smoke`;
  const { code, stdout, stderr, started } = await run(words);
  expect([code, stderr, requests]).toEqual([0, "", 0]);
  expect(started.map(({ target }) => target.baseUrl)).not.toContain(address);
  for (const text of [
    "1 scenario\n  a token is issued",
    "About 12 requests",
    "1 valid, 1 bad credentials",
    "Creates nothing",
  ]) {
    expect(stdout).toContain(text);
  }
  expect(stdout).toMatch(/\n1 bad credential:\n {2}POST \/auth\/token +1\n/);
  expect(stdout).toContain(`Nothing was sent to ${address}`);
  expect(JSON.parse((await run(`${words} --json`)).stdout)).toMatchObject({
    target: address,
    badCredentials: 1,
    requests: 12,
  });
});
