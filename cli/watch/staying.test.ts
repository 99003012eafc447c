import { createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { runs } from "../../reports/testing/runs.ts";
import { testContext } from "../testing/test-context.ts";

const soon = { timeout: 20_000 };

test("--watch checks everything once the server is there; keys check again, and q ends with the last exit code", async () => {
  const here = testContext(() => Promise.resolve(runs.nonconformant), {}, { isTerminal: true });
  const baseUrl = `https://127.0.0.1:${await listening(createServer())}`;
  const words = [
    "--base-url",
    baseUrl,
    "--api-key",
    "key-0123456789",
    "--customer-id",
    "c1",
    "--reports",
    "json",
  ];
  const running = here.run(["run", "--watch", ...words]);
  const rests = (times: number) =>
    vi.waitFor(
      () => expect(here.output().match(/Waiting for a restart/g)).toHaveLength(times),
      soon,
    );
  await rests(1);
  here.press("f");
  await vi.waitFor(() => expect(here.output()).toContain("Checking 2 requirements again."), soon);
  await rests(2);
  here.press("a");
  await vi.waitFor(() => expect(here.output()).toContain("Checking everything."), soon);
  await rests(3);
  here.press("q");
  const { code, started } = await running;
  expect(code).toBe(1);
  expect(started.map(({ settings }) => settings.selection.length > 2)).toEqual([true, false, true]);
});
