import { expect, test } from "vitest";
import { tables } from "../harness/testing/doubts.ts";
import { deviations } from "../reference/deviations/index.ts";

const known = new Set(deviations.map(({ id }) => id));

test("each doubt names a server of the reference, and none that is not there", () => {
  for (const [id, doubt] of tables.flatMap((table) => Object.entries(table))) {
    const [, , ...ids] = doubt.for;
    expect(ids, id).not.toEqual([]);
    expect(ids.filter((one) => !known.has(one))).toEqual([]);
  }
});
