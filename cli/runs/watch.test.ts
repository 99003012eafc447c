import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { json } from "../../reports/formats/json.ts";
import { runs } from "../../reports/testing/runs.ts";
import { testContext } from "../testing/test-context.ts";

const soon = { timeout: 20_000 };
const words = (baseUrl: string): readonly string[] =>
  `run --watch --base-url ${baseUrl} --api-key key-0123456789 --customer-id c1 --reports json`.split(
    " ",
  );

/** A server that accepts connections, and drops them when it closes. */
async function target() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket));
  const baseUrl = `https://127.0.0.1:${await listening(server)}`;
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { close, baseUrl };
}

test("--watch checks once the server is there; Enter checks again, q ends with the last exit code", async () => {
  const here = testContext(() => Promise.resolve(runs.nonconformant), {}, { isTerminal: true });
  const { close, baseUrl } = await target();
  const running = here.run(words(baseUrl));
  const rests = (times: number) =>
    vi.waitFor(
      () => expect(here.output().match(/Waiting for a restart/g)).toHaveLength(times),
      soon,
    );
  await rests(1);
  here.press("\r");
  await rests(2);
  close();
  here.press("q");
  const { code, started } = await running;
  expect(code).toBe(1);
  expect(started).toHaveLength(2);
});

test.each(["q", "\u0003", "the end of the server"])(
  "a first run that %j ends leaves the last report as it is, and the command ends with 130",
  async (by) => {
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
    const report = join(here.folder, "fxconform-report", "report.json");
    mkdirSync(dirname(report));
    writeFileSync(report, json.render(runs.conformant));
    const { close, baseUrl } = await target();
    const running = here.run(words(baseUrl));
    await vi.waitFor(() => expect(isStarted).toBe(true), soon);
    if (by.length === 1) here.press(by);
    else {
      close();
      await vi.waitFor(() => expect(here.output()).toContain("waiting for it"), soon);
      here.press("q");
    }
    expect((await running).code).toBe(130);
    expect(readFileSync(report, "utf8")).toBe(json.render(runs.conformant));
  },
);
