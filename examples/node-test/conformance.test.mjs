import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "fxconform";

await test("the server conforms", { timeout: 180_000 }, async ({ signal }) => {
  const { gate } = await run({
    baseUrl: process.env.FXCONFORM_BASE_URL ?? "https://localhost:4010",
    apiKey: process.env.FXCONFORM_API_KEY ?? "",
    customerId: process.env.FXCONFORM_CUSTOMER_ID ?? "",
    signal,
  });
  assert.deepEqual(
    gate.reasons.map(({ text }) => text),
    [],
  );
});
