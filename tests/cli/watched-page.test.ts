import { expect, onTestFinished, test } from "vitest";
import { startChromium } from "../../reports/testing/chromium.ts";
import { ended, interrupted, serveFaults } from "./program.ts";
import { onTerminal } from "./terminal.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const soon = { timeout: 60_000 };

test(
  "--ui with --watch: a restart fixes a failure, and the page shows it without being loaded again",
  { timeout: 120_000, tags: ["script", "chromium"] },
  async () => {
    const folder = temporaryFolder();
    const first = await serveFaults(folder, ["operation-created-201", "operation-status-created"]);
    const only = ["--only", "OPER-01,OPER-02", "--runs", "2", "--seed", "7"];
    const { press, shows, ...session } = onTerminal([...first.words, "--watch", "--ui", ...only], folder);
    const address = await shows(/http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\//);

    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    let loads = 0;
    page.on("load", () => (loads += 1));
    await page.goto(address);
    await expect.poll(() => page.locator("#fail #OPER-01, #fail #OPER-02").count(), soon).toBe(2);
    await expect.poll(() => page.locator("#status").textContent(), soon).toMatch(/The run has ended: nonconformant/);

    await shows(/Waiting for a restart of the server/);
    await interrupted(first.server);
    const second = await serveFaults(folder, ["operation-status-created"], first.port);
    await shows(/1 fixed, 1 still failing/);
    await expect.poll(() => page.locator(".map [data-id=OPER-01] .cell.pass").count(), soon).toBe(1);
    await expect.poll(() => page.locator("#fail #OPER-01").count(), soon).toBe(0);
    expect(await page.locator("#fail #OPER-02").count()).toBe(1);
    await expect.poll(() => page.locator("#status").textContent(), soon).toMatch(/nonconformant, 1 failed requirement/);
    expect(loads).toBe(1);

    press("q");
    expect((await ended(session)).code, session.output.stdout).toBe(1);
    await interrupted(second.server);
  },
);
