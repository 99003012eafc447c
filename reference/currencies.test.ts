import { expect, test } from "vitest";
import { referenceFor } from "./testing/reference.ts";

test.each([
  ["USDXCG", 201],
  ["USDZWG", 201],
  ["USDQQQ", 400],
  ["USDUSD", 400],
])("a batch of the pair %s gets %i", async (pair, status) => {
  const credentials = { apiKey: "key-of-currencies", customerId: "c1" };
  const { baseUrl } = await referenceFor(credentials);
  const json = { "Content-Type": "application/json" };
  const granted = await fetch(`${baseUrl}/auth/token`, {
    method: "POST",
    headers: { "x-api-key": credentials.apiKey },
  });
  const { token } = (await granted.json()) as { readonly token: string };
  const response = await fetch(`${baseUrl}/batches`, {
    method: "POST",
    headers: { ...json, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ currency_pair: pair }),
  });
  expect(response.status).toBe(status);
});
