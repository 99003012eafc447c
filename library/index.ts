/** fxconform as a library: `import { run } from "fxconform"`. */
export { run } from "./run.ts";
export { UsageError, type Problem } from "../settings/problem.ts";
export type { Options } from "./run.ts";
export type { Progress } from "../model/evidence/messages.ts";
export type { Run } from "../model/run.ts";
