import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "fxconform";
import { consoleText } from "fxconform/report";

await test("the server conforms", { timeout: 180_000 }, async ({ signal }) => {
  const report = await run({
    baseUrl: process.env.FXCONFORM_BASE_URL ?? "https://localhost:4010",
    apiKey: process.env.FXCONFORM_API_KEY ?? "",
    customerId: process.env.FXCONFORM_CUSTOMER_ID ?? "",
    signal,
  });
  assert.ok(report.gate.pass, consoleText(report, { color: false }));
});
