import { expect, test } from "vitest";
import { unknownLike, withLetterBehind } from "./unknown-id.ts";

test.each([
  ["f0e1d2c3-b4a5-4968-8776-655443322110", /^f0e1d2c3-b4a5-4968-8776-[0-9a-f]{12}$/],
  ["F0E1D2C3-B4A5-4968-8776-6554433221AB", /^F0E1D2C3-B4A5-4968-8776-[0-9A-F]{12}$/],
  ["f0e1d2c3-b4a5-4968-8776-655443322110", /[0-9]/],
  ["cp_0123456789abcdef", /^cp_[0-9a-f]{16}$/],
  ["17", /^900000034$/],
  ["op-17", /^op-900000034$/],
  ["1234567890123456789", /^1234567891023456806$/],
  ["12-acmetrading", /^900000029-[a-z]{11}$/],
  ["cus_Zk3qPw8TnX", /^cus_[A-Z][a-z]\d[a-z][A-Z][a-z]\d[A-Z][a-z][A-Z]$/],
])("one like %s", (id, shape) => {
  const unknown = unknownLike(id);
  expect(unknown).toMatch(shape);
  expect(unknown).not.toBe(id);
});

test("of a short word or of nothing there is none", () => {
  expect(unknownLike("abc")).toBeUndefined();
  expect(unknownLike("")).toBeUndefined();
});

test.each([
  ["17", ["17x"]],
  ["op_17", ["op_17x"]],
  ["urn:op:0042", ["urn:op:0042x"]],
  ["f0e1d2c3-b4a5-4968-8776-655443322110", ["f0e1d2c3-b4a5-4968-8776-655443322110x"]],
  ["T3A6MTc4", []],
  ["op17", []],
  ["abc", []],
  ["", []],
])("with a letter behind the number of %s", (id, wanted) => {
  expect(withLetterBehind(id)).toEqual(wanted);
});
