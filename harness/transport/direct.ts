import { operationTitle } from "../../spec/operations.ts";
import { Inconclusive } from "../scenario-errors.ts";
import type { Attempts } from "./attempt.ts";
import type { Availability } from "./availability.ts";
import type { Hangs } from "./hangs.ts";
import type { Delivered, Send } from "./send.ts";

/** Sends once, without the rate limiter. Only for tasks that already run alone. */
export const createDirect =
  ({ attempt }: Attempts, { guard }: Availability, { timeout }: Hangs): Send<Delivered> =>
  async (spec) => {
    guard();
    const { response, failure, sent, at } = await attempt(spec, false, timeout());
    if (response !== undefined) return { sent, response, at };
    throw new Inconclusive(`${operationTitle(spec.operation)} gave no response: ${failure.message}`);
  };
