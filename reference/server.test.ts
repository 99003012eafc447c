import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCertificate } from "./certificate.ts";
import { startReference } from "./server.ts";
import type { Reference } from "./server.ts";
import { account, clientOf, sendOnce, statusOver } from "./testing/client.ts";
import type { Client } from "./testing/client.ts";

const options = { apiKey: "key-of-the-tests", customerId: "customer-1" };

describe("the server that obeys", () => {
  let reference: Reference;
  let client: Client;

  beforeAll(async () => {
    reference = await startReference(options);
    client = await clientOf(reference.baseUrl, options);
  });
  afterAll(() => reference.close());

  it("issues a new token for each request", async () => {
    const other = await clientOf(reference.baseUrl, options);
    expect(other.token).not.toBe(client.token);
    expect((await other.get("/batches")).status).toBe(200);
    expect((await client.get("/batches")).status).toBe(200);
  });

  it("lists no batches before one was created", async () => {
    expect(await client.get("/batches")).toMatchObject({ status: 200, body: { batches: [], count: 0, total: 0 } });
  });

  it("creates a counterparty and returns it", async () => {
    const sent = {
      name: "Señora “Ω”",
      counterparty_address: { city: "Köln", country: "DE" },
      bank_account: account,
      intermediary_bank: { bank_name: "Middle", swift_code: "MIDDDEFF", bank_country: "DE" },
      external_id: "x-1",
    };
    const { status, body, headers } = await client.post("/customers/customer-1/counterparty", { ...sent, other: 1 });
    expect(status).toBe(201);
    expect(body).toEqual({ ...sent, id: expect.any(String) });
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["x-request-id"]).toMatch(/./);
  });

  it("creates an operation that is pending_quote and in no batch", async () => {
    const counterparty_id = await client.counterparty();
    const { status, body } = await client.operation({ counterparty_id, currency_amount: 10.07 });
    expect(status).toBe(200);
    expect(body).toEqual({
      operation_id: expect.any(String),
      operation_purpose: "EFX",
      foreign_currency_amount: 10.07,
      currency_pair: "USDBRL",
      status: "pending_quote",
      customer_id: "customer-1",
      counterparty_id,
      bank_account: account,
      intermediary_bank: null,
      batch_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  const item = { local_currency_amount: 10, tax_id: "52998224725", merchant: "Shop" };

  it("accepts ACAM items only for EFX operations", async () => {
    const counterparty_id = await client.counterparty();
    const efx = (await client.operation({ counterparty_id })).body["operation_id"];
    const trade = (await client.operation({ counterparty_id, operation_purpose: "IMPORT" })).body["operation_id"];
    expect(await client.post(`/corporate/operation/${efx}/acam`, item)).toMatchObject({
      status: 200,
      body: { message: "ACAM item added successfully", status: "success" },
    });
    expect(await client.post(`/corporate/operation/${trade}/acam`, item)).toMatchObject({
      status: 422,
      body: { message: expect.any(String) },
    });
    expect((await client.post("/corporate/operation/unknown/acam", item)).status).toBe(404);
    expect((await client.post(`/corporate/operation/${efx}/acam`, { ...item, tax_id: "1" })).status).toBe(400);
  });

  it("puts the pending operations of a pair into a new batch", async () => {
    const counterparty_id = await client.counterparty();
    const { body } = await client.operation({ counterparty_id, currency_pair: "CHFJPY" });
    const made = await client.post("/batches", { currency_pair: "CHFJPY" });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ currency_pair: "CHFJPY", operation_count: 1 });
    const list = (await client.get("/batches")).body as { batches: Record<string, unknown>[] };
    const batch = list.batches.find(({ id }) => id === made.body["id"]);
    const [operation] = (batch?.["operations"] ?? []) as Record<string, unknown>[];
    expect(operation).toMatchObject({ operation_id: body["operation_id"], batch_id: batch?.["id"] });
    expect(operation).not.toHaveProperty("operation_purpose");
    expect(operation).not.toHaveProperty("intermediary_bank");
  });

  const operation = { currency_amount: 1, operation_purpose: "EFX", currency_pair: "USDBRL" };

  it.each([
    ["an empty body", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["a string", '"x"'],
    ["broken JSON", '{"currency_amount":'],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["no amount", JSON.stringify({ ...operation, currency_amount: undefined })],
    ["an amount of zero", JSON.stringify({ ...operation, currency_amount: 0 })],
    ["an amount below zero", JSON.stringify({ ...operation, currency_amount: -1 })],
    ["an amount as a string", JSON.stringify({ ...operation, currency_amount: "1" })],
    ["a pair of one currency", JSON.stringify({ ...operation, currency_pair: "USDUSD" })],
    ["a pair that no currencies have", JSON.stringify({ ...operation, currency_pair: "XQZWVY" })],
    ["a pair in lower case", JSON.stringify({ ...operation, currency_pair: "usdbrl" })],
    ["a purpose that nobody knows", JSON.stringify({ ...operation, operation_purpose: "FUN" })],
    ["a counterparty that is not there", JSON.stringify({ ...operation, counterparty_id: "nobody" })],
    ["a counterparty of null", JSON.stringify({ ...operation, counterparty_id: null })],
  ])("answers an operation with %s with 400", async (_what, body) => {
    const answer = await client.send("POST", "/corporate/operation", body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  it.each([
    ["no header", undefined],
    ["another scheme", "Basic dXNlcjpw"],
    ["no token", "Bearer"],
    ["a made-up token", "Bearer abcdefghijklmnop"],
  ])("answers 401 on every endpoint to %s", async (_what, authorization) => {
    for (const [method, path] of [
      ["POST", "/corporate/operation"],
      ["POST", "/customers/customer-1/counterparty"],
      ["POST", "/corporate/operation/x/acam"],
      ["POST", "/batches"],
      ["GET", "/batches"],
    ] as const) {
      const answer = await client.send(method, path, method === "GET" ? undefined : "{}", { authorization });
      expect(answer).toMatchObject({ status: 401, body: { message: expect.any(String) } });
    }
  });

  it.each([undefined, "", "key-of-the-test", "key-of-the-testsX", "kex-of-the-tests"])(
    "refuses the API key %s",
    async (key) => {
      const headers = key === undefined ? {} : { "x-api-key": key };
      const answer = await sendOnce(`${reference.baseUrl}/auth/token`, "POST", undefined, headers);
      expect(answer).toMatchObject({ status: 401, body: { message: expect.any(String) } });
    },
  );

  it.each([
    ["an unknown path", "GET", "/nothing", undefined, 404],
    ["another method", "DELETE", "/batches", undefined, 405],
    ["another customer", "POST", "/customers/other/counterparty", "{}", 404],
    ["a large body", "POST", "/batches", "x".repeat(1_100_000), 413],
  ])("answers %s as it should", async (_what, method, path, body, status) => {
    expect(await client.send(method, path, body)).toMatchObject({ status, body: { message: expect.any(String) } });
  });

  it("accepts only JSON", async () => {
    const answer = await client.send("POST", "/batches", "{}", { "content-type": "text/plain" });
    expect(answer.status).toBe(415);
  });
});

describe("listening", () => {
  it("accepts only TLS on its port, on both loopback addresses", async () => {
    const certificate = await makeCertificate();
    const reference = await startReference({ ...options, tls: certificate });
    for (const host of ["localhost", "127.0.0.1", "[::1]"])
      expect(await statusOver(`https://${host}:${reference.port}/batches`, certificate.ca)).toBe(401);
    await expect(sendOnce(`http://localhost:${reference.port}/batches`, "GET")).rejects.toThrow();
    await reference.close();
  });

  it("stops listening and ends open connections on close", async () => {
    const reference = await startReference(options);
    await clientOf(reference.baseUrl, options);
    await reference.close();
    await expect(clientOf(reference.baseUrl, options)).rejects.toThrow();
  });

  it("refuses unknown ids of faults and variants", async () => {
    await expect(startReference({ ...options, faults: ["no-such"] })).rejects.toThrow('"no-such"');
  });
});
