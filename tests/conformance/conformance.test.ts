/**
 * The suites against the address in FXCONFORM_BASE_URL, or against the reference server if there is
 * none: `npx vitest run --project conformance`.
 */
import { afterAll } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { startReference } from "../../reference/server.ts";

// The thread of the scenarios exists only in the build.
const built = new URL("../../dist/conformance.js", import.meta.url).href;
const { conformance } = (await import(built)) as typeof import("../../conformance.ts");

const { FXCONFORM_BASE_URL: baseUrl = "", FXCONFORM_API_KEY, FXCONFORM_CUSTOMER_ID } = process.env;
const given = { apiKey: FXCONFORM_API_KEY ?? "", customerId: FXCONFORM_CUSTOMER_ID ?? "" };

conformance(baseUrl === "" ? await reference() : { baseUrl, ...given });

async function reference() {
  const apiKey = "conformance-key-5f20";
  const customerId = "customer-1";
  const { key, cert } = await makeCertificate();
  const server = await startReference({ tls: { key, cert }, apiKey, customerId });
  afterAll(() => server.close());
  const all = { currencyPairs: ["USDBRL", "EURBRL"], otherPurposes: ["IMPORT"] };
  return { baseUrl: server.baseUrl, apiKey, customerId, insecure: true, ...all };
}
