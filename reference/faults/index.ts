import type { Fault } from "./fault.ts";

/** Every fault of the reference server. */
export const faults: readonly Fault[] = [];

export type { Fault, FaultNeeds } from "./fault.ts";
