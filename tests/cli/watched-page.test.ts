import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { ended, key, servedCommand, start } from "./program.ts";
import { hasTerminal, onTerminal } from "./terminal.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const soon = { timeout: 60_000 };

test.skipIf(!hasTerminal || !existsSync(executablePath))(
  "--ui with --watch: a restart fixes a failure, and the page shows it without being loaded again",
  async () => {
    const folder = temporaryFolder();
    const serve = async (port: string, ...faults: readonly string[]) => {
      const words = ["serve", "--http", "--port", port, "--api-key", key, "--customer-id", "c1"];
      const server = start([...words, ...faults.flatMap((fault) => ["--fault", fault])], folder);
      return { server, words: await servedCommand(server) };
    };
    const first = await serve("0", "operation-created-201", "operation-status-created");
    const port = /localhost:(\d+)/.exec(first.words.join(" "))?.[1] ?? "";
    const only = ["--only", "OPER-01,OPER-02", "--runs", "2", "--seed", "7"];
    const { press, shows, ...session } = onTerminal([...first.words, "--watch", "--ui", ...only], folder);
    const address = await shows(/http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\//);

    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    let loads = 0;
    page.on("load", () => (loads += 1));
    await page.goto(address);
    await expect.poll(() => page.locator("#fail #OPER-01, #fail #OPER-02").count(), soon).toBe(2);
    await expect.poll(() => page.locator("#status").textContent(), soon).toMatch(/The run has ended: nonconformant/);

    await shows(/Waiting for a restart of the server/);
    first.server.child.kill("SIGINT");
    await ended(first.server);
    const second = await serve(port, "operation-status-created");
    await shows(/1 fixed, 1 still failing/);
    await expect.poll(() => page.locator(".map [data-id=OPER-01] .cell.pass").count(), soon).toBe(1);
    await expect.poll(() => page.locator("#fail #OPER-01").count(), soon).toBe(0);
    expect(await page.locator("#fail #OPER-02").count()).toBe(1);
    await expect.poll(() => page.locator("#status").textContent(), soon).toMatch(/nonconformant, 1 failed requirement/);
    expect(loads).toBe(1);

    press("q");
    expect((await ended(session)).code, session.output.stdout).toBe(1);
    second.server.child.kill("SIGINT");
    await ended(second.server);
  },
  120_000,
);
