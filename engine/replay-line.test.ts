import { expect, test } from "vitest";
import { replayLine } from "./replay-line.ts";

test.each([
  [{}, "npx fxconform replay fxconform-report/report.json --only OPER-02"],
  [
    { program: "node dist/cli/bin.js", reportPath: "/tmp/it's here/report.json" },
    `node dist/cli/bin.js replay '/tmp/it'\\''s here/report.json' --only OPER-02`,
  ],
])("%j", (options, line) => {
  expect(replayLine("OPER-02", options)).toBe(line);
});
