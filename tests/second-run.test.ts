import { expect, test, vi } from "vitest";
import { referenceRuns } from "./reference-run.ts";

vi.setConfig({ testTimeout: 300_000 });

const { fxconform, against } = referenceRuns("second-run-key-5d31");

// The server reads 1e400 as Infinity, which JSON.stringify writes as null.
test("no server is blamed for what an earlier run left behind (INT-40, INT-52)", () =>
  against({ variants: ["amount-beyond-doubles"] }, async (words) => {
    const only = (ids: string) => fxconform(["run", ...words, "--only", ids]);
    await only("OPER-32,OPER-44");
    const { stdout, verdictOf } = await only("BATCH-30,HTTP-03");
    expect(verdictOf("BATCH-30"), stdout).toBe("pass");
  }));
