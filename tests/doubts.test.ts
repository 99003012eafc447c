import { expect, test } from "vitest";
import { tables } from "../harness/testing/doubts.ts";
import { faults } from "../reference/faults/index.ts";
import { variants } from "../reference/variants/index.ts";

const known = new Set([...faults, ...variants].map(({ id }) => id));

test("each doubt names a server of the reference, and none that is not there", () => {
  for (const [id, doubt] of tables.flatMap((table) => Object.entries(table))) {
    const [, , ...ids] = doubt.for;
    expect(ids, id).not.toEqual([]);
    expect(ids.filter((one) => !known.has(one))).toEqual([]);
  }
});
