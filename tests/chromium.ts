import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { pathOf, toolset } from "./system-programs.ts";

/** Starts the Chromium of the system without background activity such as updates. */
export function startChromium(): Promise<Browser> {
  const words =
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking";
  return chromium.launch({
    executablePath: pathOf("chromium") ?? "chromium",
    args: [...words.split(" "), "--disable-component-update", "--disable-sync"],
  });
}

/** What axe objects to on a page: each rule, with a few elements. `options` are those of axe. */
export async function objectionsTo(page: Page, options = ""): Promise<unknown> {
  await page.evaluate(readFileSync(join(toolset, "axe-core/axe.min.js"), "utf8"));
  return page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html)]))`,
  );
}
