import { expect, test } from "vitest";
import { cannotCoincide, idsNear, unknownLike } from "./altered.ts";

test.each([
  [
    "f0e1d2c3-b4a5-4968-8776-655443322110",
    "f0e1d2c3-b4a5-4968-8776-322110099887",
    ["f0e1d2c3-b4a5-4968-8776-655443322117"],
  ],
  ["op_4jd8snwq0xk2", "op_1qk5zudx7er9", ["op_4jd8snwq0xk9"]],
  [
    "aGVsbG8gd29ybGQhIQ==",
    "hNCziN5nk96fiNXoPX==",
    ["aGVsbG8gd29ybGQhI7==", "AgvSBg8GD29YBgqHiq=="],
  ],
  ["Zk3qPw8TnXa", "Gr0xWd5AuEh", ["Zk3qPw8TnXA", "zK3QpW8tNxA"]],
  ["Q7X2", "X4E9", ["Q7X9"]],
  ["--", "--", []],
])("like %s is %s, near it %j", (id, like, near) => {
  expect([unknownLike(id), idsNear(id)]).toEqual([like, near]);
});

const operations = ["x7k2m9q4w1e8r5t3", "b6n3v8c1z5l0j7h2"] as const;

test.each([
  ["another random id of that length", operations, "p4d9f6g2s8a1u5y3", true],
  ["a word that a server may give to both kinds", operations, "none", false],
  ["the id of one of them", operations, operations[0], false],
  ["an id with another prefix", ["op-1", "op-2"], "or-1", true],
  ["60 random bits", ["0123456789abcde0", "123456789abcdef0"], "23456789abcdef10", false],
  ["an id with the same prefix", ["op-1", "op-2"], "op-3", false],
] as const)("no operation has the id of a counterparty: %s", (_, ids, other, isSo) => {
  expect(cannotCoincide(ids, other)).toBe(isSo);
});
