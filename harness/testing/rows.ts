import { expect, onTestFinished } from "vitest";
import { answers } from "../sending/answers.ts";
import { guards } from "../sending/guards.ts";
import { refusals } from "../sending/refusals.ts";
import { rows } from "../sending/rows.ts";

interface NamedRow {
  readonly for: readonly [interpretation: string, server: string, ...ids: string[]];
}

/** The tables of rows of the sender's loop, one for each moment. */
export const tables: readonly Record<string, NamedRow>[] = [guards, rows, refusals, answers];

/** Takes a row out of its table until the test ends. */
export function takeOut(row: string): void {
  const table = tables.find((one) => row in one) ?? expect.fail(`no row is called ${row}`);
  const whole = { ...table };
  onTestFinished(() => {
    for (const id of Object.keys(table)) delete table[id];
    Object.assign(table, whole);
  });
  delete table[row];
}
