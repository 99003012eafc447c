import { expect, test } from "vitest";
import { areRandom, cannotCoincide, unknownLike, withLettersBehind } from "./altered.ts";

test.each([
  ["f0e1d2c3-b4a5-4968-8776-655443322110", /^f0e1d2c3-b4a5-4968-8776-[0-9a-f]{12}$/],
  ["F0E1D2C3-B4A5-4968-8776-6554433221AB", /^F0E1D2C3-B4A5-4968-8776-[0-9A-F]{12}$/],
  ["f0e1d2c3-b4a5-4968-8776-655443322110", /[0-9]/],
  ["2a1b3c4d-1111-4968-8776-655443322110", /^2a1b3c4d-1111-4968-8776-\d{12}$/],
  ["op_1234567890123456789012", /^op_\d{22}$/],
  [
    "counterparty-f0e1d2c3-b4a5-4968-8776-6554433221ab",
    /^counterparty-f0e1d2c3-b4a5-4968-8776-[0-9a-f]{12}$/,
  ],
  ["cus_Zk3qPw8TnX", /^cus_[A-Z][a-z]\d[a-z][A-Z][a-z]\d[A-Z][a-z][A-Z]$/],
])("one like %s", (id, shape) => {
  const unknown = unknownLike(id);
  expect(unknown).toMatch(shape);
  expect(unknown).not.toBe(id);
});

test("with letters behind it an id is another", () => {
  expect(withLettersBehind("17")).toMatch(/^17[a-z]{4,}$/);
});

test.each([
  ["f0e1d2c3-b4a5-4968-8776-655443322110", "0a9b8c7d-6e5f-4a3b-9c2d-1e0f9a8b7c6d", true],
  ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002", false],
  ["01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-7aa1-9d2e-0f1e2d3c4b5a", true],
  ["op_0123456789abcdef01", "op_fedcba9876543210fe", true],
  ["17", "18", false],
  ["17", "178", false],
  ["cus_Zk3qPw8TnX", "cus_Aa7xYt2RqL", false],
])("ids like %s and %s are random: %s", (one, other, wanted) => {
  expect(areRandom(one, other)).toBe(wanted);
});

test.each([
  [["op_17", "op_18"], "cp_17", true],
  [["17", "18"], "17", false],
  [["op_17", "op_18"], "op_19", false],
  [["op-17", "18"], "cp-17", false],
  [["f0e1d2c3-b4a5-4968-8776-655443322110", "0a9b8c7d-6e5f-4a3b-9c2d-1e0f9a8b7c6d"], "17", true],
  [
    ["f0e1d2c3-b4a5-4968-8776-655443322110", "0a9b8c7d-6e5f-4a3b-9c2d-1e0f9a8b7c6d"],
    "f0e1d2c3-b4a5-4968-8776-655443322110",
    false,
  ],
] as const)("of ids like %j, %s is none: %s", (kind, other, wanted) => {
  expect(cannotCoincide(kind, other)).toBe(wanted);
});
