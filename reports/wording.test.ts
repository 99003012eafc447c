import { expect, test } from "vitest";
import { durationText } from "./wording.ts";

test.each([
  [0, "0 ms"],
  [0.44, "0.4 ms"],
  [3210, "3.2 s"],
  [59_990, "1 min 0 s"],
  [125_000, "2 min 5 s"],
  [12_030_000, "3 h 20 min"],
])("%d ms are %j", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
