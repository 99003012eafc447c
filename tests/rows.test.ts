import { expect, test } from "vitest";
import { tables } from "../harness/testing/rows.ts";
import { faults } from "../reference/faults/index.ts";
import { variants } from "../reference/variants/index.ts";

const rows = tables.flatMap((table) => Object.entries(table));
const known = new Set([...faults, ...variants].map(({ id }) => id));

test("each server that a row names is one of the reference server", () => {
  expect(
    rows
      .flatMap(
        ([
          ,
          {
            for: [, , ...ids],
          },
        ]) => ids,
      )
      .filter((id) => !known.has(id)),
  ).toEqual([]);
});

/**
 * Rows without a variant: their servers do not respond, are slow to all, block everything or are down
 * for long; or they are about recordings; or every server needs them.
 */
const withoutVariant = [
  "lost",
  "out of time",
  "incomplete",
  "in trouble",
  "slow to all",
  "throttled by all",
  "gateway in trouble",
  "gateway error again",
  "answered",
  "undecided",
  "right",
  "without a control",
  "right, unlike the control",
  "recorded",
  "refused again",
  "any answer",
];

test("a row names a server of the reference, unless none is like it", () => {
  expect(
    rows.flatMap(
      ([
        id,
        {
          for: [, , ...ids],
        },
      ]) => (ids.length === 0 ? [id] : []),
    ),
  ).toEqual(withoutVariant);
});
