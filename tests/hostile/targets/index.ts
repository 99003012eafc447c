import type { HostileTarget } from "../hostile-target.ts";
import { connections } from "./connections.ts";
import { content } from "./content.ts";
import { protocol } from "./protocol.ts";
import { time } from "./time.ts";

/** All hostile targets. */
export const hostileTargets: readonly HostileTarget[] = [
  ...connections,
  ...protocol,
  ...content,
  ...time,
];
