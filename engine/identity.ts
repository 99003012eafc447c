import { randomBytes } from "node:crypto";
import { toolVersion } from "./version.ts";

/** Eight letters and digits that distinguish one run from another, in our User-Agent and in what is stamped. */
export const newRunId = (): string =>
  [...randomBytes(8)].map((byte) => "abcdefghijklmnopqrstuvwxyz234567".charAt(byte % 32)).join("");

/** How every request of a run is signed, so that its receiver finds the run in a log (INT-32). */
export const userAgentOf = (runId: string): string => `fxconform/${toolVersion()} (run ${runId})`;
