import { run } from "fxconform";
import { consoleText } from "fxconform/report";
import { expect, test } from "vitest";

test("the server conforms", { timeout: 180_000 }, async ({ signal }) => {
  const report = await run({
    baseUrl: process.env["FXCONFORM_BASE_URL"] ?? "https://localhost:4010",
    apiKey: process.env["FXCONFORM_API_KEY"] ?? "",
    customerId: process.env["FXCONFORM_CUSTOMER_ID"] ?? "",
    signal,
  });
  expect(report.gate.pass, consoleText(report, { color: false })).toBe(true);
});
