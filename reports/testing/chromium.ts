import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Whether Chromium is installed: that of Debian, or the one that the variable CHROMIUM names. */
export const hasChromium = existsSync(executablePath);

/** Starts Chromium without background activity such as updates. */
export const startChromium = (): Promise<Browser> => {
  const words = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking";
  return chromium.launch({
    executablePath,
    args: [...words.split(" "), "--disable-component-update", "--disable-sync"],
  });
};
