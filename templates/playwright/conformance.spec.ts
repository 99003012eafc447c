import { expect, test } from "@playwright/test";
import { run } from "fxconform";
import { consoleText } from "fxconform/report";

test("the server conforms", async () => {
  test.setTimeout(180_000);
  const report = await run({
    baseUrl: process.env["FXCONFORM_BASE_URL"] ?? "https://localhost:4010",
    apiKey: process.env["FXCONFORM_API_KEY"] ?? "",
    customerId: process.env["FXCONFORM_CUSTOMER_ID"] ?? "",
  });
  expect(report.gate.pass, consoleText(report, { color: false })).toBe(true);
});
