import { expect, onTestFinished, test } from "vitest";
import { startChromium } from "../../reports/testing/chromium.ts";
import { largeRun } from "../../reports/testing/whole.ts";
import { startLivePage } from "./live-page.ts";

test(
  "5,000 updates keep no task of the page busy for more than 200 ms",
  // A task is also long where the machine is busy with something else.
  { timeout: 120_000, retry: 2, tags: "chromium" },
  async () => {
    const whole = largeRun(5000);
    let updates = 0;
    const live = await startLivePage({
      stateOf: () => {
        const share = updates / 5000;
        const pending = whole.requirements.slice(Math.floor(whole.requirements.length * share)).map(({ id }) => id);
        const run = { ...whole, requests: updates };
        return { run, isRunning: updates < 5000, pending: new Set(pending), again: new Set() };
      },
      masked: (text) => text,
      check: () => undefined,
    });
    onTestFinished(live.close);
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.addInitScript(
      "window.tasks = []; new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration))).observe({ type: 'longtask', buffered: true });",
    );
    await page.goto(live.address);
    while (updates < 5000) {
      updates += 1;
      live.changed();
      if (updates % 10 === 0) await new Promise((done) => setTimeout(done, 20));
    }
    await expect.poll(() => page.locator("html").getAttribute("data-running"), { timeout: 60_000 }).toBe("false");
    expect(await page.locator(".map .cell.pending").count()).toBe(0);
    const tasks: readonly number[] = await page.evaluate("tasks");
    expect(Math.max(0, ...tasks)).toBeLessThan(200);
  },
);
