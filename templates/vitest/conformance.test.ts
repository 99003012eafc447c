import { conformance } from "fxconform/vitest";

conformance({
  baseUrl: process.env["FXCONFORM_BASE_URL"] ?? "https://localhost:4010",
  apiKey: process.env["FXCONFORM_API_KEY"] ?? "",
  customerId: process.env["FXCONFORM_CUSTOMER_ID"] ?? "",
});
