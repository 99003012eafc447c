import { chromium, type Browser } from "playwright-core";
import { pathOf } from "./system-programs.ts";

/** Starts the Chromium of the system without background activity such as updates. */
export function startChromium(): Promise<Browser> {
  const words =
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking";
  return chromium.launch({
    executablePath: pathOf("chromium") ?? "chromium",
    args: [...words.split(" "), "--disable-component-update", "--disable-sync"],
  });
}
