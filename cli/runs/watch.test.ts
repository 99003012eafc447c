import { createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { runs } from "../../reports/testing/runs.ts";
import { testContext } from "../testing/test-context.ts";

const soon = { timeout: 20_000 };
const words = (baseUrl: string): readonly string[] =>
  `run --watch --base-url ${baseUrl} --api-key key-0123456789 --customer-id c1 --reports json`.split(
    " ",
  );

test("--watch checks once the server is there; Enter and a restart check again, q ends with the last exit code", async () => {
  const here = testContext(() => Promise.resolve(runs.nonconformant), {}, { isTerminal: true });
  const server = createServer();
  const baseUrl = `https://127.0.0.1:${await listening(server)}`;
  const running = here.run(words(baseUrl));
  const rests = (times: number) =>
    vi.waitFor(
      () => expect(here.output().match(/Waiting for a restart/g)).toHaveLength(times),
      soon,
    );
  await rests(1);
  here.press("\r");
  await rests(2);
  const closed = new Promise((done) => server.close(done));
  await Promise.race([closed, new Promise((done) => setTimeout(done, 100))]);
  here.press("q");
  const { code, started } = await running;
  expect(code).toBe(1);
  expect(started).toHaveLength(2);
});

test("an interrupted run writes no report, and the command ends with 130", async () => {
  let isStarted = false;
  const here = testContext(
    (_, control) =>
      new Promise((resolve) => {
        isStarted = true;
        control?.signal?.addEventListener("abort", () =>
          resolve({ ...runs.nonconformant, outcome: "interrupted" }),
        );
      }),
    {},
    { isTerminal: true },
  );
  const running = here.run(words(`https://127.0.0.1:${await listening(createServer())}`));
  await vi.waitFor(() => expect(isStarted).toBe(true), soon);
  here.press("q");
  expect((await running).code).toBe(130);
});
