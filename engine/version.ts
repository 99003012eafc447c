import { readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";

/** The version in package.json, from the source and from the built package alike. */
export function toolVersion(): string {
  for (const path of ["../package.json", "../../package.json"]) {
    try {
      return (
        JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as { version: string }
      ).version;
    } catch {
      continue;
    }
  }
  return "0.0.0";
}

/**
 * The id of a run: eight letters and digits, sent in the User-Agent and in values that must be
 * unique.
 */
export function newRunId(): string {
  return [...randomBytes(8)]
    .map((byte) => "abcdefghijklmnopqrstuvwxyz234567".charAt(byte % 32))
    .join("");
}

/**
 * The User-Agent of every request of a run, so that an operator finds the run in a log (INT-32).
 */
export const userAgentOf = (runId: string): string => `fxconform/${toolVersion()} (run ${runId})`;
