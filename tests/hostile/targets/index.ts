import type { HostileTarget } from "../hostile-target.ts";
import { connections } from "./connections.ts";
import { content } from "./content.ts";
import { protocol } from "./protocol.ts";
import { time } from "./time.ts";
import { tls } from "./tls.ts";

/** The hostile targets by what is wrong with them. */
export const hostileFamilies = {
  "connections and missing responses": connections,
  "responses that violate HTTP": protocol,
  TLS: tls,
  "bodies that are hard to read": content,
  "rate limits, servers that stop, clocks": time,
} as const satisfies Readonly<Record<string, readonly HostileTarget[]>>;

/** All hostile targets. */
export const hostileTargets: readonly HostileTarget[] = Object.values(hostileFamilies).flat();
