import { operationTitle } from "../../spec/operations.ts";
import { Inconclusive } from "../scenario-errors.ts";
import type { Attempts } from "./attempt.ts";
import type { Availability } from "./availability.ts";
import type { Hangs } from "./hangs.ts";
import type { Delivered, Send } from "./send.ts";

/**
 * Sends without the rate limiter, and with `again` once more on a new connection if the connection drops, as an idle one
 * may (INT-32). Only for tasks that already run alone.
 */
export const createDirect =
  ({ attempt }: Attempts, { guard }: Availability, { timeout }: Hangs, { again = false } = {}): Send<Delivered> =>
  async (spec) => {
    guard();
    const first = await attempt(spec, false, timeout());
    const isRepeated = again && first.failure?.kind === "dropped";
    const { response, failure, sent, at } = isRepeated ? await attempt(spec, true, timeout()) : first;
    if (response !== undefined) return { sent, response, at };
    throw new Inconclusive(`${operationTitle(spec.operation)} gave no response: ${failure.message}`);
  };
