import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isQuestionId } from "../../spec/questions.ts";
import { makeCertificate } from "../certificate.ts";
import { startReference } from "../server.ts";
import { account, clientOf, sendOnce, statusOver } from "../testing/client.ts";
import { completeFlow } from "../testing/flow.ts";
import { areCompatible, variants } from "./index.ts";

const options = { apiKey: "Key-Of-The-Tests-01", customerId: "customer-1" };
const overHttp = variants.filter(({ needs }) => needs?.https !== true);

describe("the table of variants", () => {
  const ids = variants.map(({ id }) => id);

  it("has unique ids in kebab case", () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(ids.length).toBeGreaterThanOrEqual(75);
  });

  it("describes each in one sentence, and names existing questions", () => {
    expect(variants.filter(({ about }) => !/^\S.*\.$/.test(about))).toEqual([]);
    expect(variants.flatMap(({ answers }) => answers ?? []).filter((id) => !isQuestionId(id))).toEqual([]);
  });

  it("excludes only existing variants of other slots", () => {
    for (const { excludes = [], slot } of variants)
      for (const id of excludes) {
        const other = variants.find((variant) => variant.id === id);
        expect(other, id).toBeDefined();
        expect(slot === undefined || other?.slot !== slot, id).toBe(true);
      }
  });

  it("has a symmetric compatibility", () => {
    for (const one of variants)
      for (const other of variants) expect(areCompatible(one, other)).toBe(areCompatible(other, one));
    for (const one of variants) expect(areCompatible(one, one)).toBe(false);
  });
});

/** What a client sends to servers with narrow limits. */
const narrow: Readonly<Record<string, { readonly amount?: number; readonly item?: number; readonly pair?: string }>> = {
  "acam-far-below": { item: 5 },
  "acam-companies-far-below": { item: 3 },
  "operations-up-to-20": { amount: 12.5 },
  "operations-from-900": { amount: 950 },
  "operations-of-hundreds": { amount: 300 },
  "operations-whole": { amount: 300 },
  "one-pair": { pair: "EURBRL" },
};

describe("every variant completes the flow of a client", () => {
  it.concurrent.each(overHttp)("$id", { timeout: 30_000 }, async ({ id, needs }) => {
    const reference = await startReference({ ...options, variants: [id] });
    try {
      await completeFlow({
        ...options,
        baseUrl: reference.baseUrl,
        amount: needs?.amountDecimals === 0 ? 100 : 100.25,
        ...narrow[id],
      });
    } finally {
      await reference.close();
    }
  });
});

describe("variants of a kind", () => {
  it.each(variants.filter(({ needs }) => needs?.https === true))("$id, on the port of TLS", async ({ id }) => {
    const { key, cert } = await makeCertificate();
    const reference = await startReference({ ...options, tls: { key, cert }, variants: [id] });
    const { status } = await sendOnce(`http://localhost:${reference.port}/batches`, "GET");
    expect([308, 400, 403, 426]).toContain(status);
    expect(await statusOver(`https://localhost:${reference.port}/batches`, cert)).toBe(401);
    await reference.close();
  });

  const full = {
    name: "Ana",
    counterparty_address: { country: "DE" },
    bank_account: account,
    intermediary_bank: { bank_name: "M", swift_code: "DEUTDEFF", bank_country: "DE" },
    external_id: "E",
  };
  const within = (change: object) => ({ ...full, bank_account: { ...account, ...change } });

  it.each([
    ["unknown-members-refused", { ...full, other: 1 }, 400],
    ["bic-checked", within({ swift_code: "COBA" }), 422],
    ["iban-checked", within({ iban: "DE88370400440532013000" }), 422],
    ["iban-of-country", within({ bank_country: "FR" }), 422],
    ["routing-number-checked", within({ aba_routing_number: "021000022" }), 422],
    ["account-number-plain", within({ account_number: "532-013" }), 422],
    ["country-codes-checked", { ...full, counterparty_address: { country: "Germany" } }, 422],
    ["external-id-bounded", { ...full, external_id: "x".repeat(65) }, 422],
    ["names-ascii", { ...full, name: "Søren" }, 422],
    ["texts-bounded", { ...full, name: "x".repeat(141) }, 400],
    ["markup-refused", { ...full, name: "<b>" }, 403],
    ["counterparty-complete", { ...full, external_id: undefined }, 400],
    ["address-complete", full, 400],
    ["client-id-refused", { ...full, id: "mine" }, 422],
    ["counterparty-anything", { name: 1, bank_account: {} }, 201],
  ])("%s decides on a counterparty", async (id, body, status) => {
    const reference = await startReference({ ...options, variants: [id] });
    const client = await clientOf(reference.baseUrl, options);
    const answer = await client.post("/customers/customer-1/counterparty", body);
    expect(answer.status).toBe(status);
    await reference.close();
  });

  it("compresses with gzip if the client accepts it", async () => {
    const reference = await startReference({ ...options, variants: ["chunked-gzip"] });
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      get(`${reference.baseUrl}/batches`, { headers: { "accept-encoding": "gzip" } }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks)));
      }).on("error", reject);
    });
    expect(JSON.parse(gunzipSync(bytes).toString())).toHaveProperty("message");
    await reference.close();
  });
});
