import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { settings, target } from "../../model/testing/target.ts";
import { createResults } from "./results.ts";
import { startLivePage } from "./live-page.ts";

const options = { target, settings, strict: false, statement: [], baseline: [] };

/** A page of eight megabytes, of which the system buffers only a part for a reader. */
const large = "x".repeat(2 ** 23);

test("for a reader that does not read, the page is rendered once, and again when it reads", async () => {
  let rendered = 0;
  const results = createResults(options);
  const page = await startLivePage(
    results,
    () => {
      rendered += 1;
      return large;
    },
    () => undefined,
  );
  onTestFinished(page.close);
  const { port, host, pathname } = new URL(page.address);
  const reader = connect(Number(port), "127.0.0.1").pause();
  onTestFinished(() => void reader.destroy());
  reader.on("error", () => undefined);
  reader.write(`GET ${pathname}pages HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await vi.waitFor(() => expect(rendered).toBeGreaterThan(0), 10_000);
  const first = rendered;
  for (let nth = 0; nth < 4; nth += 1) {
    results.news.emit("news");
    await setTimeout(150);
  }
  expect(rendered).toBe(first);
  reader.resume();
  results.news.emit("news");
  await vi.waitFor(() => expect(rendered).toBeGreaterThan(first), 20_000);
});
