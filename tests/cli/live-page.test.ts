import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { objectionsTo, startChromium } from "../chromium.ts";
import { interrupted, printed, servedCommand, start } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const soon = { timeout: 120_000 };

/** Starts a reference server with these faults. `words` are the arguments of a run that checks it. */
async function serveFaults(folder: string, faults: readonly string[], port = "0") {
  const words = `serve --http --port ${port} --api-key key-0123456789 --customer-id c1`.split(" ");
  const server = start([...words, ...faults.flatMap((fault) => ["--fault", fault])], folder);
  const served = await servedCommand(server);
  return { server, port: /localhost:(\d+)/.exec(served.join(" "))?.[1] ?? "", words: served };
}

function statusOf(
  address: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((done, fail) => {
    request(address, { method, headers }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    })
      .on("error", fail)
      .end();
  });
}

test(
  "a page follows a run from start to end; a failure is fixed and checked again",
  { timeout: 300_000, tags: "chromium" },
  async () => {
    const folder = temporaryFolder();
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const first = await serveFaults(folder, ["operation-created-201", "operation-status-created"]);
    const running = start(
      [...first.words, "--ui", "--only", "OPER-01,OPER-02,BATCH-20", "--rate", "1", "--runs", "2"],
      folder,
    );
    const address = (
      await printed(running, /http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/\n/, "stderr")
    ).trim();

    const page = await (await browser.newContext()).newPage();
    const complaints: string[] = [];
    const requested: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("request", (one) => requested.push(one.url()));
    await page.goto(address);
    await expect.poll(() => page.locator(".map .cell.pending").count(), soon).toBeGreaterThan(0);
    expect(await page.locator("html").getAttribute("data-running")).toBe("true");
    await expect
      .poll(() => page.locator(".progress").textContent(), soon)
      .toMatch(/ left|waiting for responses/);
    await expect.poll(() => page.locator("#fail #OPER-01").count(), soon).toBe(1);
    await expect
      .poll(() => page.locator("#status").textContent(), soon)
      .toMatch(/The run has ended: nonconformant/);
    expect(await page.locator(".map .cell.pending").count()).toBe(0);
    expect(await page.locator("#latency").count()).toBe(1);
    expect(await objectionsTo(page)).toEqual([]);

    await page.locator("#fail details[id^=mistake] > summary").nth(1).click();
    await interrupted(first.server);
    const { server } = await serveFaults(folder, ["operation-status-created"], first.port);
    await page.locator("#OPER-01").getByRole("button", { name: "Check again: OPER-01" }).click();
    await expect
      .poll(() => page.locator("#status").textContent(), soon)
      .toMatch(/^Checked again: OPER-01/);
    await expect.poll(() => page.locator(".map .pass[href='#OPER-01']").count(), soon).toBe(1);
    expect(await page.locator("#fail #OPER-02").count()).toBe(1);
    expect(await page.locator("#fail #OPER-01").count()).toBe(0);
    // The card that the reader opened stays open, although it is the first one now.
    expect(
      await page
        .locator("#fail details[id^=mistake]")
        .evaluateAll((all) => all.map((one) => one.hasAttribute("open"))),
    ).toEqual([true]);
    expect(await objectionsTo(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(address))).toEqual([]);

    const { host, origin } = new URL(address);
    expect(await statusOf(address, "GET", {})).toBe(200);
    expect(await statusOf(`${origin}/`, "GET", {})).toBe(404);
    expect(await statusOf(address, "GET", { host: "evil.example" })).toBe(403);
    expect(await statusOf(address, "GET", { origin: "http://evil.example" })).toBe(403);
    expect(await statusOf(address, "GET", { "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await statusOf(`${address}check`, "POST", {})).toBe(403);
    expect(await statusOf(`${address}check`, "POST", { origin: `http://${host}` })).toBe(400);

    expect((await interrupted(running)).code).toBe(1);
    await expect
      .poll(() => page.locator("#status").textContent(), soon)
      .toMatch(/fxconform has stopped/);
    await interrupted(server);
  },
);
