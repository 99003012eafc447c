// A reference server that counts its requests, with the ids that the tools start from.
import { startReference } from "../../../dist/reference/server.js";

const apiKey = "fxc_Peers-Comparison.0f31K8";
const customerId = "customer-1";
const counterparty = {
  name: "Prairie Seed Company",
  counterparty_address: { address: "400 Grain Avenue", country: "US", city: "Chicago", zip_code: "60601", state: "IL" },
  bank_account: {
    bank_name: "Lakeside National Bank",
    swift_code: "LKSDUS44",
    bank_country: "US",
    account_number: "4417123456",
    aba_routing_number: "071000013",
  },
  external_id: "supplier-0001",
};
const operation = { currency_amount: 300, operation_purpose: "EFX", currency_pair: "USDBRL" };
const item = { local_currency_amount: 99.5, tax_id: "52998224725", merchant: "Corner Bookshop" };

/** Starts the server; `known` holds what a tool needs to send valid requests, `count` its requests from then on. */
export const startServer = async (changes) => {
  // The statuses are those of another server with the same changes, so that the measured one stays untouched.
  const other = await startReference({ apiKey, customerId, ...changes });
  const { statuses } = await prepared(other, true);
  await other.close();
  let requests = 0;
  const server = await startReference({ apiKey, customerId, ...changes, onRequest: () => void (requests += 1) });
  const known = { ...(await prepared(server, false)), apiKey, customerId, statuses };
  requests = 0;
  return { known, count: () => requests, close: server.close };
};

/** A token, ids of a counterparty and an operation (`none` if not returned), and the status of each success. */
async function prepared(server, withAll) {
  const baseUrl = server.baseUrl.replace("localhost", "127.0.0.1");
  const statuses = {};
  let headers = { "x-api-key": apiKey };
  const send = async (name, path, member, body) => {
    try {
      const method = name === "listBatches" ? "GET" : "POST";
      const settings = {
        method,
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      };
      const response = await fetch(baseUrl + path, { ...settings, signal: AbortSignal.timeout(3000) });
      if (response.ok) statuses[name] = response.status;
      return String((await response.json())[member] || "none");
    } catch {
      return "none";
    }
  };
  const token = await send("createToken", "/auth/token", "token");
  headers = { authorization: `Bearer ${token}`, "user-agent": "fxconform-peers", accept: "application/json" };
  const counterpartyId = await send("createCounterparty", `/customers/${customerId}/counterparty`, "id", counterparty);
  const sent = { ...operation, counterparty_id: counterpartyId };
  const operationId = await send("createOperation", "/corporate/operation", "operation_id", sent);
  if (withAll) {
    await send("addAcamItem", `/corporate/operation/${encodeURIComponent(operationId)}/acam`, "status", item);
    await send("createBatch", "/batches", "id", { currency_pair: "USDBRL" });
    await send("listBatches", "/batches", "count");
  }
  return { baseUrl, token, counterpartyId, operationId, statuses };
}
