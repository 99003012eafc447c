import { expect, onTestFinished } from "vitest";
import { doubts as ofAnswers } from "../sending/answers.ts";
import { doubts as ofAttempts } from "../sending/attempts.ts";

interface NamedDoubt {
  readonly for: readonly [interpretation: string, server: string, ...ids: string[]];
}

/** The doubts about attempts, and those about answers. */
export const tables: readonly Record<string, NamedDoubt>[] = [ofAttempts, ofAnswers];

/** Takes a doubt out of its table until the test ends. */
export function takeOut(doubt: string): void {
  const table = tables.find((one) => doubt in one) ?? expect.fail(`no doubt is called ${doubt}`);
  const whole = { ...table };
  onTestFinished(() => {
    for (const id of Object.keys(table)) delete table[id];
    Object.assign(table, whole);
  });
  delete table[doubt];
}
