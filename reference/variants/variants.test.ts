import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isQuestionId } from "../../spec/questions.ts";
import { makeCertificate } from "../certificate.ts";
import { account, clientOf, sendOnce, statusOver } from "../testing/client.ts";
import { referenceFor } from "../testing/reference.ts";
import { variants } from "./index.ts";

const options = { apiKey: "Key-Of-The-Tests-01", customerId: "customer-1" };

describe("the table of variants", () => {
  const ids = variants.map(({ id }) => id);

  it("has unique ids in kebab case, a sentence for each, and existing questions", () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
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
});

describe("variants of a kind", () => {
  it.each(variants.filter(({ needs }) => needs?.https === true))("$id, on the port of TLS", async ({ id }) => {
    const { key, cert } = await makeCertificate();
    const { port } = await referenceFor({ ...options, tls: { key, cert }, variants: [id] });
    const { status } = await sendOnce(`http://localhost:${port}/batches`, "GET");
    expect([308, 400, 403, 426]).toContain(status);
    expect(await statusOver(`https://localhost:${port}/batches`, cert)).toBe(401);
  });

  const bank = { bank_name: "M", swift_code: "DEUTDEFF", bank_country: "DE" };
  const full = { name: "Ana", counterparty_address: { country: "DE" }, bank_account: account, external_id: "E" };
  const within = (change: object) => ({ ...full, bank_account: { ...account, ...change } });

  it.each([
    ["unknown-members-refused", { ...full, other: 1 }, 400],
    ["bic-checked", within({ swift_code: "COBA" }), 422],
    ["iban-checked", within({ iban: "DE88370400440532013000" }), 422],
    ["iban-of-country", within({ bank_country: "FR" }), 422],
    ["routing-number-checked", within({ aba_routing_number: "021000022" }), 422],
    ["markup-refused", { ...full, name: "<b>" }, 403],
    ["counterparty-complete", { ...full, intermediary_bank: bank, external_id: undefined }, 400],
    ["counterparty-anything", { name: 1, bank_account: {} }, 201],
  ])("%s decides on a counterparty", async (id, body, status) => {
    const { baseUrl } = await referenceFor({ ...options, variants: [id] });
    const client = await clientOf(baseUrl, options);
    expect((await client.post("/customers/customer-1/counterparty", body)).status).toBe(status);
  });

  it("compresses with gzip if the client accepts it", async () => {
    const { baseUrl } = await referenceFor({ ...options, variants: ["chunked-gzip"] });
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      get(`${baseUrl}/batches`, { headers: { "accept-encoding": "gzip" } }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks)));
      }).on("error", reject);
    });
    expect(JSON.parse(gunzipSync(bytes).toString())).toHaveProperty("message");
  });
});
