import { expect, test } from "vitest";
import { replayLine } from "./judgements.ts";

test.each([
  [{}, "npx fxconform replay fxconform-report/report.json --only OPER-02"],
  [{ replayCommand: "node dist/cli/bin.js demo --seed 5" }, "node dist/cli/bin.js demo --seed 5 --only OPER-02"],
])("%j", (options, line) => {
  expect(replayLine("OPER-02", options)).toBe(line);
});
