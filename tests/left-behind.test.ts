import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { around } from "../reference/change.ts";
import { referenceRuns } from "./reference-run.ts";

vi.setConfig({ testTimeout: 300_000 });

const { fxconform, against } = referenceRuns("left-behind-key-5d31");

// The server reads 1e400 as Infinity, which JSON.stringify writes as null.
test("no server is blamed for what an earlier run left behind (INT-40, INT-52)", () =>
  against({ variants: ["amount-beyond-doubles"] }, async (words) => {
    const only = (ids: string) => fxconform(["run", ...words, "--only", ids]);
    await only("OPER-32,OPER-44");
    const { stdout, verdictOf } = await only("BATCH-30,HTTP-03");
    expect(verdictOf("BATCH-30"), stdout).toBe("pass");
  }));

/** Stores a batch before it looks at the pair, so that the list shows batches that were refused. */
const storesFirst = around(async (call, next) => {
  const answer = await next(call);
  if (call.operation === "createBatch" && answer.status === 400) {
    const { currency_pair = null } = Object(call.body) as { currency_pair?: string };
    const pair = currency_pair as string;
    const id = String(call.nth);
    call.store.batches.push({ id, pair, createdAt: new Date(), operations: [] });
  }
  return answer;
});

test("nor for what it never said that it created, in a run and in its recording (INT-40)", () =>
  against({ changes: [storesFirst] }, async (words) => {
    const record = join(temporaryFolder(), "run.har");
    const run = await fxconform(["run", ...words, "--only", "batches", "--record", record]);
    const judged = await fxconform(["judge", record]);
    for (const { stdout, verdictOf } of [run, judged])
      expect([verdictOf("BATCH-25"), verdictOf("BATCH-27")], stdout).toEqual(["pass", "pass"]);
  }));
