import { nearest } from "./problem.ts";
import { expect, test } from "vitest";

test.each([
  ["baseurl", ["baseUrl", "rate"], "baseUrl"],
  ["OPR-02", ["OPER-01", "OPER-02"], "OPER-02"],
  ["auht", ["auth", "acam"], "auth"],
  ["batch", ["acam", "batches"], "batches"],
  ["zzz", ["auth", "acam"], undefined],
  ["", ["auth"], undefined],
])("%s among %j", (word, candidates, want) => {
  expect(nearest(word, candidates)).toBe(want);
});
