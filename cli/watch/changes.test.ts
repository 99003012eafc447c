import { expect, test } from "vitest";
import { rowOf } from "../../model/testing/rows.ts";
import { changeOf, updatedRows } from "./session.ts";

test.each([
  ["fail", "pass", "fixed"],
  ["fail", "warn", "fixed"],
  ["fail", "fail", "still failing"],
  ["fail", "inconclusive", "no verdict"],
  ["fail", "skip", undefined],
  ["pass", "fail", "broken"],
  ["inconclusive", "fail", "broken"],
  [undefined, "fail", "broken"],
  ["pass", "pass", undefined],
  ["pass", "inconclusive", undefined],
] as const)("from %s to %s is %s", (before, after, change) => {
  expect(changeOf(before, after)).toBe(change);
});

test("newer results take the place of older ones, except where a run left them out", () => {
  const rows = updatedRows(new Map(), [rowOf("OPER-01", "fail"), rowOf("OPER-02", "fail")]);
  const newer = updatedRows(rows, [rowOf("OPER-01", "skip"), rowOf("OPER-02", "pass"), rowOf("OPER-03", "warn")]);
  expect([...newer.values()].map(({ id, verdict }) => [id, verdict])).toEqual([
    ["OPER-01", "fail"],
    ["OPER-02", "pass"],
    ["OPER-03", "warn"],
  ]);
});
