import { toolVersion } from "./version.ts";

/** How every request of a run is signed, so that its receiver finds the run in a log (ruling 32). */
export const userAgentOf = (runId: string): string => `fxconform/${toolVersion()} (run ${runId})`;
