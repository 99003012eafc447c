// A first server of the FX operations API. It has six mistakes: docs/first-hour.md mends them.
// Start: node server.mjs 8080
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const apiKey = process.env.FXCONFORM_API_KEY ?? "key-of-my-server";
const token = randomUUID();
const counterparties = new Map();
const operations = new Map();
const batches = [];

const now = () => new Date().toISOString().slice(0, 19);
const isText = (value) => typeof value === "string";
const isAmount = (value) => Number.isFinite(value) && value > 0;
const isPair = (value) => isText(value) && /^[A-Z]{6}$/.test(value);

function demand(condition, status, message) {
  if (!condition) throw Object.assign(new Error(message), { status });
}

// Each route takes the headers, the body and the id in the path, and returns a status and a body.
const routes = {
  "POST /auth/token": ({ headers }) => {
    demand(headers["x-api-key"] === apiKey, 401, "unknown API key");
    return [200, { token }];
  },
  "POST /customers/:id/counterparty": ({ id, body }) => {
    const counterparty = { ...body, id: randomUUID() };
    counterparties.set(counterparty.id, { ...counterparty, customer_id: id });
    return [201, counterparty];
  },
  "POST /corporate/operation": ({ body }) => {
    demand(isAmount(body.currency_amount), 400, "currency_amount must be a positive number");
    demand(isText(body.operation_purpose), 400, "operation_purpose must be a text");
    demand(isPair(body.currency_pair), 400, "currency_pair must be two currency codes");
    const counterparty = counterparties.get(body.counterparty_id);
    demand(counterparty, 400, "counterparty_id is unknown");
    const operation = {
      operation_id: randomUUID(),
      operation_purpose: body.operation_purpose,
      foreign_currency_amount: body.currency_amount.toFixed(2),
      currency_pair: body.currency_pair,
      status: "created",
      customer_id: counterparty.customer_id,
      counterparty_id: counterparty.id,
      bank_account: counterparty.bank_account,
      intermediary_bank: counterparty.intermediary_bank ?? null,
      batch_id: null,
      created_at: now(),
    };
    operations.set(operation.operation_id, operation);
    return [201, operation];
  },
  "POST /corporate/operation/:id/acam": ({ id }) => {
    demand(operations.has(id), 404, "the operation is unknown");
    return [200, { message: "ACAM item added successfully", status: "success" }];
  },
  "POST /batches": ({ body }) => {
    demand(isPair(body.currency_pair), 400, "currency_pair must be two currency codes");
    const batch = {
      id: randomUUID(),
      created_at: now(),
      currency_pair: body.currency_pair,
      status: "open",
      operation_count: 0,
      operations: [],
    };
    batches.push(batch);
    return [201, batch];
  },
  "GET /batches": () => [200, { batches, count: batches.length, total: batches.length }],
};

async function answer(request) {
  const [path] = request.url.split("?");
  const [, id] = /(?:customers|operation)\/([^/]+)/.exec(path) ?? [];
  const route = routes[`${request.method} ${path.replace(`/${id}/`, "/:id/")}`];
  demand(route, 404, "not found");
  const { headers } = request;
  const isAllowed = path === "/auth/token" || headers.authorization === `Bearer ${token}`;
  demand(isAllowed, 401, "invalid or missing token");
  const body = await json(request).catch(() => null);
  return route({ headers, id, body: body ?? {} });
}

async function respond(request, response) {
  const refusal = (error) => [error.status ?? 500, { error: error.message }];
  const [status, body] = await answer(request).catch(refusal);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

const server = createServer((request, response) => void respond(request, response));
server.listen(process.argv[2] ?? 8080, () => {
  console.log(`http://localhost:${server.address().port}`);
});
