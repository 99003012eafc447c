// A reference server that counts its requests, with the ids that the tools start from.
import { startReference } from "../../dist/reference/server.js";

const apiKey = "fxc_Peers-Comparison.0f31K8";
const customerId = "customer-1";
const headers = { "content-type": "application/json", "user-agent": "fxconform-peers", accept: "application/json" };
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

const item = { local_currency_amount: 99.5, tax_id: "52998224725", merchant: "Corner Bookshop" };

/** Starts the server; `known` holds what a tool needs to send valid requests, `count` its requests from then on. */
export const startServer = async ({ faults = [], variants = [] }) => {
  const statuses = await statusesOf({ faults, variants });
  let requests = 0;
  const server = await startReference({ apiKey, customerId, faults, variants, onRequest: () => void (requests += 1) });
  const baseUrl = addressOf(server);
  const known = { baseUrl, apiKey, customerId, statuses, ...(await idsOf(senderTo(baseUrl))) };
  requests = 0;
  return { known, count: () => requests, close: server.close };
};

const addressOf = ({ baseUrl }) => baseUrl.replace("localhost", "127.0.0.1");

/** The status of each success, from another server with the same changes, so that the measured one stays untouched. */
async function statusesOf(changes) {
  const server = await startReference({ apiKey, customerId, ...changes });
  const statuses = {};
  const send = senderTo(addressOf(server), (operation, status) => (statuses[operation] = status));
  const { bearer, operationId } = await idsOf(send);
  await send("addAcamItem", `/corporate/operation/${encodeURIComponent(operationId)}/acam`, bearer, item);
  await send("createBatch", "/batches", bearer, { currency_pair: "USDBRL" });
  await send("listBatches", "/batches", bearer);
  await server.close();
  return statuses;
}

/** A token, and the ids of a counterparty and an EFX operation. What the server does not return is `none`. */
async function idsOf(send) {
  const token = text((await send("createToken", "/auth/token", { "x-api-key": apiKey })).token);
  const bearer = { authorization: `Bearer ${token}` };
  const registered = await send("createCounterparty", `/customers/${customerId}/counterparty`, bearer, counterparty);
  const counterpartyId = text(registered.id);
  const operation = { currency_amount: 300, operation_purpose: "EFX", currency_pair: "USDBRL" };
  const created = await send("createOperation", "/corporate/operation", bearer, {
    ...operation,
    counterparty_id: counterpartyId,
  });
  return { token, bearer, counterpartyId, operationId: text(created.operation_id) };
}

const text = (value) => (value === undefined || value === null || value === "" ? "none" : String(value));

/** Sends a request and resolves to the JSON object in the response, or to an empty one. */
const senderTo =
  (baseUrl, onSuccess = () => undefined) =>
  async (operation, path, more, body) => {
    try {
      const response = await fetch(baseUrl + path, {
        method: operation === "listBatches" ? "GET" : "POST",
        headers: { ...headers, ...more },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(3000),
      });
      if (response.ok) onSuccess(operation, response.status);
      return Object(await response.json());
    } catch {
      return {};
    }
  };
