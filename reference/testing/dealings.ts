import { strict as assert } from "node:assert";
import { account, ask } from "./client.ts";
import type { Asked } from "./client.ts";
import type { Asker } from "./transcript.ts";

/**
 * Does with a server what its clients do, patient with limits and lags, and rejects where an answer is not what the
 * specification promises to anybody: the few rules that no legal variant may touch.
 */
export async function dealingsWith({ baseUrl, apiKey, customerId, amount }: Asker & { readonly amount: number }) {
  let token = "";
  const speak = async (
    method: string,
    path: string,
    body?: unknown,
    authorization = `Bearer ${token}`,
  ): Promise<Asked> => {
    const own = path === "/auth/token" ? { "x-api-key": apiKey } : { authorization };
    const headers = { accept: "application/json", "user-agent": "dealings/1", ...own };
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
    return ask(baseUrl + path, method, body === undefined ? undefined : JSON.stringify(body), typed);
  };

  /** Asks until the answer is worth something: not a limit, not a passing trouble, not a token that is used up. */
  const patiently = async (method: string, path: string, body?: unknown, isThere = isSuccess): Promise<Asked> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await speak(method, path, body);
      if (isThere(answer) || attempt === 15) return answer;
      if ([401, 403].includes(answer.status)) await renew();
      else await new Promise((resolve) => setTimeout(resolve, 350));
    }
  };
  const renew = async (): Promise<void> => {
    const { body } = await patientlyToken();
    token = String(body["token"]);
  };
  const patientlyToken = async (): Promise<Asked> => {
    const answer = await speak("POST", "/auth/token");
    assert(isSuccess(answer) && typeof answer.body["token"] === "string" && answer.body["token"] !== "");
    return answer;
  };

  await renew();
  const empty = await patiently("GET", "/batches");
  assert(
    Array.isArray(empty.body["batches"]) &&
      Number.isInteger(empty.body["count"]) &&
      Number.isInteger(empty.body["total"]),
  );
  const registration = `/customers/${customerId}/counterparty`;
  const payee = {
    name: "Ana Souza",
    counterparty_address: { address: "1 Rua A", country: "DE", city: "Berlin", zip_code: "10115", state: "BE" },
    bank_account: account,
    external_id: "E1",
  };
  const intermediary_bank = { bank_name: "Middle", swift_code: "DEUTDEFF", bank_country: "DE" };
  const registered = await patiently("POST", registration, { ...payee, intermediary_bank });
  // Servers may have no use for an intermediary bank.
  const counterparty = isSuccess(registered) ? registered : await patiently("POST", registration, payee);
  assert(isSuccess(counterparty) && typeof counterparty.body["id"] === "string");
  const counterparty_id = counterparty.body["id"];
  const plain = { currency_amount: amount, operation_purpose: "EFX", currency_pair: "USDBRL", counterparty_id };
  const operation = await patiently("POST", "/corporate/operation", plain);
  assert.equal(operation.status, 200, operation.text);
  const { operation_id, status, batch_id = null, foreign_currency_amount: shown = amount } = operation.body;
  assert(typeof operation_id === "string");
  assert.deepEqual([status, batch_id, shown], ["pending_quote", null, amount]);
  const item = { local_currency_amount: 10, tax_id: "52998224725", merchant: "Shop" };
  const attach = (body: unknown) =>
    patiently("POST", `/corporate/operation/${encodeURIComponent(operation_id)}/acam`, body);
  const first = await attach(item);
  // Servers may take companies alone.
  const added = isSuccess(first) ? first : await attach({ ...item, tax_id: "11444777000161" });
  assert(isSuccess(added), added.text);
  assert.deepEqual([added.body["message"], added.body["status"]], ["ACAM item added successfully", "success"]);
  const batch = await patiently("POST", "/batches", { currency_pair: "USDBRL" });
  assert(isSuccess(batch) && typeof batch.body["id"] === "string");
  await refusalsOf(speak, plain, renew);
}

type Speak = (method: string, path: string, body?: unknown, authorization?: string) => Promise<Asked>;

async function refusalsOf(
  speak: Speak,
  plain: Readonly<Record<string, unknown>>,
  renew: () => Promise<void>,
): Promise<void> {
  // Counterparties may be unknown for a while.
  const isWorthIt = ({ status }: Asked): boolean => status !== 429 && status !== 404 && status < 500;
  const settled = async (body: unknown, authorization?: string): Promise<Asked> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await speak("POST", "/corporate/operation", body, authorization);
      const lapsed = authorization === undefined && answer.status === 401;
      if ((isWorthIt(answer) && !lapsed) || attempt === 10) return answer;
      if (lapsed) await renew();
      else await new Promise((resolve) => setTimeout(resolve, 350));
    }
  };
  for (const name of Object.keys(plain))
    for (const value of [undefined, null, true]) {
      const answer = await settled({ ...plain, [name]: value });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(typeof answer.body["message"], "string");
    }
  const stranger = await settled(plain, "Bearer made-up-by-a-stranger-0123456789");
  assert.equal(stranger.status, 401, stranger.text);
  assert.equal(typeof stranger.body["message"], "string");
}

const isSuccess = ({ status }: Asked): boolean => status >= 200 && status < 300;
