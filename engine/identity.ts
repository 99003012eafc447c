import { randomBytes } from "node:crypto";
import { toolVersion } from "./version.ts";

/** The id of a run: eight letters and digits, sent in the User-Agent and in values that must be unique. */
export const newRunId = (): string =>
  [...randomBytes(8)].map((byte) => "abcdefghijklmnopqrstuvwxyz234567".charAt(byte % 32)).join("");

/** The User-Agent of every request of a run, so that an operator finds the run in a log (INT-32). */
export const userAgentOf = (runId: string): string => `fxconform/${toolVersion()} (run ${runId})`;
