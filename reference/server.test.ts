import { afterAll, beforeAll, expect, it } from "vitest";
import { makeCertificate } from "./certificate.ts";
import { startReference, type Reference } from "./server.ts";
import { account, clientOf, sendOnce, statusOver, type Client } from "./testing/client.ts";

const options = { apiKey: "key-of-the-tests", customerId: "customer-1" };
const error = { message: expect.any(String) };

let reference: Reference;
let client: Client;
let counterparty_id: unknown;

beforeAll(async () => {
  reference = await startReference(options);
  client = await clientOf(reference.baseUrl, options);
  const payee = { name: "Somebody", bank_account: account };
  counterparty_id = (await client.post("/customers/customer-1/counterparty", payee)).body["id"];
});
afterAll(() => reference.close());

const terms = { currency_amount: 10.07, operation_purpose: "EFX", currency_pair: "USDBRL" };
const create = (other: object = {}) => client.post("/corporate/operation", { ...terms, counterparty_id, ...other });

it("creates a counterparty and returns it", async () => {
  const sent = {
    name: "Señora “Ω”",
    counterparty_address: { city: "Köln" },
    bank_account: account,
    external_id: "x-1",
  };
  const { status, body, headers } = await client.post("/customers/customer-1/counterparty", { ...sent, other: 1 });
  expect(status).toBe(201);
  expect(body).toEqual({ ...sent, id: expect.any(String) });
  expect(headers["content-type"]).toBe("application/json");
});

it("accepts ACAM items only for EFX operations", async () => {
  const item = { local_currency_amount: 10, tax_id: "52998224725", merchant: "Shop" };
  const efx = (await create()).body["operation_id"];
  const trade = (await create({ operation_purpose: "IMPORT" })).body["operation_id"];
  const added = { message: "ACAM item added successfully", status: "success" };
  expect(await client.post(`/corporate/operation/${efx}/acam`, item)).toMatchObject({ status: 200, body: added });
  expect(await client.post(`/corporate/operation/${trade}/acam`, item)).toMatchObject({ status: 422, body: error });
  expect((await client.post("/corporate/operation/unknown/acam", item)).status).toBe(404);
  expect((await client.post(`/corporate/operation/${efx}/acam`, { ...item, tax_id: "1" })).status).toBe(400);
});

it.each([undefined, "Basic dXNlcjpw", "Bearer", "Bearer abcdefghijklmnop"])("refuses the header %s", async (header) => {
  for (const path of ["/corporate/operation", "/customers/customer-1/counterparty", "/corporate/operation/x/acam"])
    expect(await client.send("POST", path, "{}", { authorization: header })).toMatchObject({
      status: 401,
      body: error,
    });
  expect(await client.send("GET", "/batches", undefined, { authorization: header })).toMatchObject({ status: 401 });
});

it.each([
  ["an unknown path", "GET", "/nothing", undefined, 404],
  ["another method", "DELETE", "/batches", undefined, 405],
  ["bytes that are not UTF-8", "POST", "/corporate/operation", Buffer.from([0x7b, 0xff, 0x7d]), 400],
  ["another customer", "POST", "/customers/other/counterparty", "{}", 404],
  ["a large body", "POST", "/batches", "x".repeat(1_100_000), 413],
])("refuses %s", async (_what, method, path, body, status) => {
  expect(await client.send(method, path, body)).toMatchObject({ status, body: error });
});

it("accepts only TLS on its port, on both loopback addresses", async () => {
  const certificate = await makeCertificate();
  const reference = await startReference({ ...options, tls: certificate });
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    expect(await statusOver(`https://${host}:${reference.port}/batches`, certificate.ca)).toBe(401);
  await expect(sendOnce(`http://localhost:${reference.port}/batches`, "GET")).rejects.toThrow();
  await reference.close();
});

it("refuses unknown ids of faults and variants", async () => {
  await expect(startReference({ ...options, faults: ["no-such"] })).rejects.toThrow('"no-such"');
});
