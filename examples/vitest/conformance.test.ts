import { run } from "fxconform";
import { expect, test } from "vitest";

test("the server conforms", { timeout: 180_000 }, async ({ signal }) => {
  const { gate } = await run({
    baseUrl: process.env["FXCONFORM_BASE_URL"] ?? "https://localhost:4010",
    apiKey: process.env["FXCONFORM_API_KEY"] ?? "",
    customerId: process.env["FXCONFORM_CUSTOMER_ID"] ?? "",
    signal,
  });
  expect(gate.reasons.map(({ text }) => text)).toEqual([]);
});
