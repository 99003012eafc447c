/** The suite as a library: what `fxconform run` does, without the command line. */
export { run } from "./run.ts";
export { preflight } from "./preflight.ts";
export type { PreflightStep } from "./preflight/step.ts";
export type { KnownFailure, PinnedAnswer, Progress, RunControl, RunOptions, Shard } from "./options.ts";
export type { RunSettings, Profile, Target } from "../model/target.ts";
export type { Run } from "../model/run.ts";
