import { strict as assert } from "node:assert";
import { account, sendOnce } from "./client.ts";
import type { Received } from "./client.ts";

/** The address of a server and what it accepts. */
interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly customerId: string;
}

/** Amounts and the pair that the server accepts. */
interface Terms {
  readonly amount: number;
  readonly item?: number;
  readonly pair?: string;
}

/**
 * Completes the usual flow of a client, from the token to a batch, and retries refusals that are temporary. Rejects
 * if a response breaks one of the few rules that hold for every legal variant.
 */
export async function completeFlow({
  baseUrl,
  apiKey,
  customerId,
  amount,
  item: itemAmount = 10,
  pair = "USDBRL",
}: Access & Terms) {
  let token = "";
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    authorization = `Bearer ${token}`,
  ): Promise<Received> => {
    const own = path === "/auth/token" ? { "x-api-key": apiKey } : { authorization };
    const headers = { accept: "application/json", "user-agent": "flow/1", ...own };
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
    return sendOnce(baseUrl + path, method, body === undefined ? undefined : JSON.stringify(body), typed);
  };

  /** Retries rate limits, temporary errors and refusals of an expired token. */
  const retried = async (method: string, path: string, body?: unknown, isDone = isSuccess): Promise<Received> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(method, path, body);
      if (isDone(answer) || attempt === 15) return answer;
      if ([401, 403].includes(answer.status)) await renew();
      else await new Promise((resolve) => setTimeout(resolve, 350));
    }
  };
  const renew = async (): Promise<void> => {
    const { body } = await freshToken();
    token = String(body["token"]);
  };
  const freshToken = async (): Promise<Received> => {
    const answer = await send("POST", "/auth/token");
    assert(isSuccess(answer) && typeof answer.body["token"] === "string" && answer.body["token"] !== "");
    return answer;
  };

  await renew();
  const list = await retried("GET", "/batches");
  assert(
    Array.isArray(list.body["batches"]) && Number.isInteger(list.body["count"]) && Number.isInteger(list.body["total"]),
  );
  const registration = `/customers/${customerId}/counterparty`;
  const details = {
    name: "Ana Souza",
    counterparty_address: { address: "1 Rua A", country: "DE", city: "Berlin", zip_code: "10115", state: "BE" },
    bank_account: account,
    external_id: "E1",
  };
  const intermediary_bank = { bank_name: "Middle", swift_code: "DEUTDEFF", bank_country: "DE" };
  const registered = await retried("POST", registration, { ...details, intermediary_bank });
  // Some servers refuse an intermediary bank.
  const counterparty = isSuccess(registered) ? registered : await retried("POST", registration, details);
  assert(isSuccess(counterparty) && typeof counterparty.body["id"] === "string");
  const counterparty_id = counterparty.body["id"];
  const valid = { currency_amount: amount, operation_purpose: "EFX", currency_pair: pair, counterparty_id };
  const operation = await retried("POST", "/corporate/operation", valid);
  assert.equal(operation.status, 200, operation.text);
  const { operation_id, status, batch_id = null, foreign_currency_amount: shown = amount } = operation.body;
  assert(typeof operation_id === "string");
  assert.deepEqual([status, batch_id, shown], ["pending_quote", null, amount]);
  const item = { local_currency_amount: itemAmount, tax_id: "52998224725", merchant: "Shop" };
  const attach = (body: unknown) =>
    retried("POST", `/corporate/operation/${encodeURIComponent(operation_id)}/acam`, body);
  const first = await attach(item);
  // Some servers accept only companies.
  const added = isSuccess(first) ? first : await attach({ ...item, tax_id: "11444777000161" });
  assert(isSuccess(added), added.text);
  assert.deepEqual([added.body["message"], added.body["status"]], ["ACAM item added successfully", "success"]);
  const batch = await retried("POST", "/batches", { currency_pair: pair });
  assert(isSuccess(batch) && typeof batch.body["id"] === "string");
  await refusalsOf(send, valid, renew);
}

type Send = (method: string, path: string, body?: unknown, authorization?: string) => Promise<Received>;

async function refusalsOf(
  send: Send,
  valid: Readonly<Record<string, unknown>>,
  renew: () => Promise<void>,
): Promise<void> {
  // Some servers find a counterparty only after a while.
  const isFinal = ({ status }: Received): boolean => status !== 429 && status !== 404 && status < 500;
  const answerTo = async (body: unknown, authorization?: string): Promise<Received> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send("POST", "/corporate/operation", body, authorization);
      const lapsed = authorization === undefined && answer.status === 401;
      if ((isFinal(answer) && !lapsed) || attempt === 10) return answer;
      if (lapsed) await renew();
      else await new Promise((resolve) => setTimeout(resolve, 350));
    }
  };
  for (const name of Object.keys(valid))
    for (const value of [undefined, null, true]) {
      const answer = await answerTo({ ...valid, [name]: value });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(typeof answer.body["message"], "string");
    }
  const unauthorized = await answerTo(valid, "Bearer made-up-by-a-stranger-0123456789");
  assert.equal(unauthorized.status, 401, unauthorized.text);
  assert.equal(typeof unauthorized.body["message"], "string");
}

const isSuccess = ({ status }: Received): boolean => status >= 200 && status < 300;
