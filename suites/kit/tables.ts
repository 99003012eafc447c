import type { Pool } from "../../generators/index.ts";
import { draw } from "./sampling.ts";
import type { Core } from "./context.ts";

/** Rows of what is sent, with a weight: those that most likely show a fault are sent always. */
export interface Table<Row> {
  /** Unique in a run. Name and seed decide which other rows a run sends. */
  readonly name: string;
  readonly always: readonly Row[];
  /** Rows of which a run sends some: more with `--runs`, all from 1,000 on. */
  readonly sometimes?: readonly Row[];
  /** How many of these a run sends by default. @defaultValue 1 */
  readonly drawn?: number;
}

/** This run's share of a table: all rows that are sent always, then some of the others, which are marked as rare. */
export function rowsOf<Row extends object>(context: Core, table: Table<Row>): readonly Row[] {
  return draw(context, poolOf(table)).map(({ item, isAlways }) => (isAlways ? item : { ...item, isRare: true }));
}

const poolOf = <Row>({ name, always, sometimes = [], drawn = 1 }: Table<Row>): Pool<Row> => ({
  name,
  items: [...always, ...sometimes],
  always: always.length,
  drawn,
});

/** The item at an index; after the last one, the first one comes again. Throws an error if there is none. */
export function inTurn<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("nothing to take in turn");
  return item;
}
