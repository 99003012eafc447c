import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Whether this machine has Chromium; the variable CHROMIUM names another than Debian's. */
export const hasChromium = existsSync(executablePath);

/** Chromium without anything that it would do on its own. */
export const startChromium = (): Promise<Browser> => {
  const words = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking";
  return chromium.launch({
    executablePath,
    args: [...words.split(" "), "--disable-component-update", "--disable-sync"],
  });
};
