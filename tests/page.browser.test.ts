import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { html } from "../reports/html/page.ts";
import type { Run } from "../model/run.ts";
import { objectionsTo, startChromium } from "./chromium.ts";
import { corpus, hostileRun } from "../reports/testing/hostile.ts";
import { concluded, fullRun, largeRun, runs } from "../reports/testing/runs.ts";

/** A generous time limit for what usually takes a moment. */
const soon = { timeout: 15_000 };
describe("report.html in Chromium", { timeout: 60_000, tags: "chromium" }, () => {
  const faulty = fullRun;
  let browser: Browser;
  let folder: string;
  let page: Page;
  /** A page that tests share if they do not change it, because a new context takes a while. */
  let shared: Page | undefined;
  /** The requests of the page, and the errors that the page logged. */
  let requested: string[];
  let complaints: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fxconform-html-"));
    browser = await startChromium();
  }, 60_000);
  afterEach(async () => {
    if (page !== shared) await page.context().close();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(run: Run, options: BrowserContextOptions = {}, hash = ""): Promise<void> {
    page = await newPage(options);
    await show(run, hash);
  }

  async function openShared(run: Run, colorScheme: "light" | "dark" = "light"): Promise<void> {
    shared ??= await newPage({});
    page = shared;
    await page.emulateMedia({ colorScheme });
    await page.goto("about:blank");
    await show(run);
  }

  async function newPage(options: BrowserContextOptions): Promise<Page> {
    const made = await (await browser.newContext(options)).newPage();
    made.on("request", (request) => requested.push(request.url()));
    made.on("pageerror", (error) => complaints.push(error.message));
    made.on("console", (message) => complaints.push(message.text()));
    made.on("dialog", (dialog) => complaints.push(dialog.message()));
    return made;
  }

  async function show(run: Run, hash = ""): Promise<void> {
    const file = join(folder, "report.html");
    writeFileSync(file, html.render(run));
    [requested, complaints] = [[], []];
    await page.goto(pathToFileURL(file).href + hash);
  }

  const visible = (selector: string): Promise<number> =>
    page.locator(`:is(${selector}):visible`).count();
  const overflow = (): Promise<number> =>
    page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

  const endOf = (selector: string): Promise<number> =>
    page.evaluate(`document.querySelector("${selector}").getBoundingClientRect().bottom + scrollY`);

  const pages = {
    faulty,
    sound: runs.conformant,
    unreachable: runs.inconclusive,
    hostile: hostileRun(Object.values(corpus).join(" ")),
  };
  const schemes = [
    ...Object.entries(pages).map(([name, run]) => [name, "light", run] as const),
    ["faulty", "dark", faulty] as const,
  ];
  test.each(schemes)(
    "axe finds nothing to object to: %s, %s",
    { tags: "tools" },
    async (_, colorScheme, run) => {
      await openShared(run, colorScheme);
      await page.evaluate(
        "document.querySelectorAll('details').forEach((each) => (each.open = true))",
      );
      // The colour schemes differ only in colours.
      const rules = colorScheme === "dark" ? "{ runOnly: ['color-contrast'] }" : "";
      expect(await objectionsTo(page, rules)).toEqual([]);
    },
  );

  test.each(Object.entries(corpus))(
    "text from a server is never run or loaded: %s",
    async (_, text) => {
      await openShared(hostileRun(text));
      expect(await page.evaluate("window.owned")).toBeUndefined();
      expect(
        requested.filter(
          (url) => !url.startsWith("file:") && !url.startsWith("data:image/svg+xml"),
        ),
      ).toEqual([]);
      expect(complaints).toEqual([]);
      expect(await page.locator(".body[id], .broken[id]").count()).toBe(3);
      expect(await page.locator("main script, main style, main img, main iframe").count()).toBe(0);
    },
  );

  test("all content is there without JavaScript", async () => {
    await open(faulty, { javaScriptEnabled: false });
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(
      faulty.requirements.filter(({ id }) => ids.filter((one) => one === id).length !== 1),
    ).toEqual([]);
    expect(await visible(".rows .verdict")).toBe(faulty.requirements.length);
    expect(await visible(".cause")).toBe(faulty.causes.length);
    expect(await page.locator(".broken").count()).toBe(3);
  });

  test("the address of a requirement opens its card", async () => {
    await open(faulty, {}, "#ACAM-03");
    await expect.poll(() => page.locator("#ACAM-03").isVisible(), soon).toBe(true);
    await page.locator(".map [href='#OPER-02']").click();
    await expect.poll(() => page.locator("#OPER-02").isVisible(), soon).toBe(true);
  });

  test("thirty mistakes take at most two screens before one is opened", async () => {
    const large = largeRun(30);
    const must = large.requirements.filter(({ level }) => level === "MUST").slice(0, 30);
    const requirements = large.requirements.map((row) =>
      must.includes(row) ? row : { ...row, verdict: "pass" as const, findings: [] },
    );
    await open(concluded({ ...large, requirements }), { viewport: { width: 1280, height: 800 } });
    expect(await visible(".cause")).toBe(30);
    expect(await endOf("#fail")).toBeLessThanOrEqual(1600);
  });

  test.each([
    ["faulty", faulty],
    ["one long word", hostileRun("A".repeat(100_000))],
  ])("nothing is wider than the window: %s", async (_, run) => {
    await open(run);
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow()).toBe(0);
    }
  });
});
