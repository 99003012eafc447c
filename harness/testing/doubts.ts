import { expect } from "vitest";
import { doubts as ofAnswers } from "../sending/answer-doubts.ts";
import { doubts as ofAttempts } from "../sending/attempt-doubts.ts";

/** The doubts about attempts, and those about answers. */
export const tables: readonly Record<string, object>[] = [ofAttempts, ofAnswers];

/** Performs a task while a doubt is missing in its table. */
export async function withoutDoubt<T>(doubt: string, task: () => Promise<T>): Promise<T> {
  const table = tables.find((one) => doubt in one) ?? expect.fail(`no doubt is called ${doubt}`);
  const whole = { ...table };
  delete table[doubt];
  try {
    return await task();
  } finally {
    // The order of a table counts.
    for (const id of Object.keys(table)) delete table[id];
    Object.assign(table, whole);
  }
}
