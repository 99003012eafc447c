import { readFileSync } from "node:fs";

/**
 * The version in package.json, which the source and the built package find at different paths.
 * `0.0.0` if there is none.
 */
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

/** How a run begins. `started`: when, in milliseconds since 1970. */
export function beginningOf(started: number) {
  return {
    runId: newRunId(),
    version: toolVersion(),
    startedAt: new Date(started).toISOString(),
    today: new Date().toISOString().slice(0, 10),
  };
}

/**
 * A new id for a run: eight letters and digits, which are sent in the User-Agent and in values that
 * must be unique. It begins with a vowel, as each run sends an id that has an accent more.
 */
function newRunId(): string {
  const [first = 0, ...others] = crypto.getRandomValues(new Uint8Array(8));
  return (
    "aeiou".charAt(first % 5) +
    others.map((byte) => "abcdefghijklmnopqrstuvwxyz234567".charAt(byte % 32)).join("")
  );
}

/**
 * The User-Agent of all requests of a run, by which an operator finds the run in a log (INT-32).
 */
export const userAgentOf = (runId: string): string => `fxconform/${toolVersion()} (run ${runId})`;
