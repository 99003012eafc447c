import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referenceFor } from "../../reference/testing/reference.ts";
import { ended, key, start } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

/** Starts a reference server for the test and returns its address. */
const target = async (apiKey: string, faults: readonly string[] = []): Promise<string> => {
  const server = await referenceFor({ apiKey, customerId: "customer-1", faults });
  return server.baseUrl;
};

test("diff --targets prints what one of two servers breaks", async () => {
  const folder = temporaryFolder();
  const [sandbox, production] = await Promise.all([target("sandbox-key-01234"), target(key, ["list-count-string"])]);
  const targets = {
    sandbox: { baseUrl: sandbox, apiKey: "env:SANDBOX_KEY" },
    production: { baseUrl: production, apiKey: "env:FXCONFORM_API_KEY" },
  };
  writeFileSync(join(folder, "fxconform.config.json"), JSON.stringify({ maxBadCredentials: 0, targets }));
  const env = { SANDBOX_KEY: "sandbox-key-01234" };
  const words = ["diff", "--targets", "sandbox,production", "--json"];
  const { code, stdout, stderr } = await ended(start(words, folder, { env }));
  expect([code, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    targets: [
      { name: "sandbox", outcome: "partial", badCredentials: 0 },
      { name: "production", outcome: "nonconformant", badCredentials: 0 },
    ],
    verdicts: [{ id: "BATCH-21", before: "pass", after: "fail" }],
    answers: [],
  });
}, 60_000);
