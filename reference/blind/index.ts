// Faults, and legal servers, that were written from the specification and its interpretations
// alone, by somebody who had seen neither the suites nor the other faults.
import type { Fault } from "../faults/fault.ts";
import type { Variant } from "../variants/variant.ts";
import type { BlindClass } from "./blind.ts";
import { concurrency } from "./concurrency.ts";
import { credentials } from "./credentials.ts";
import { dates } from "./dates.ts";
import { decoding } from "./decoding.ts";
import { frameworks } from "./frameworks.ts";
import { identity } from "./identity.ts";
import { lists } from "./lists.ts";
import { numbers } from "./numbers.ts";
import { state } from "./state.ts";
import { storage } from "./storage.ts";
import { time } from "./time.ts";

/** The classes of mistakes. Their names say where the mistakes come from. */
export const blindClasses = {
  frameworks,
  storage,
  decoding,
  numbers,
  dates,
  identity,
  lists,
  concurrency,
  credentials,
  state,
  time,
} as const satisfies Readonly<Record<string, BlindClass>>;

export const blindFaults: readonly Fault[] = Object.values(blindClasses).flatMap(
  ({ faults }) => faults,
);

export const blindVariants: readonly Variant[] = Object.values(blindClasses).flatMap(
  ({ variants }) => variants,
);
