// A first server of the FX operations API. It has six mistakes: docs/first-hour.md mends them.
// Start: node server.mjs 8080
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import { json } from "node:stream/consumers";

const apiKey = process.env.FXCONFORM_API_KEY ?? "key-of-my-server";
const tokens = new Set();
const counterparties = new Map();
const operations = new Map();
const batches = [];

const isObject = (value) => typeof value === "object" && value !== null;
const isText = (value) => typeof value === "string" && value.trim() !== "";
const isAmount = (value) => typeof value === "number" && Number.isFinite(value) && value > 0;
const isPair = (value) => isText(value) && /^[A-Z]{6}$/.test(value);
const now = () => new Date().toISOString().slice(0, 19);

function demand(condition, status, message) {
  if (!condition) throw Object.assign(new Error(message), { status });
}

function createToken(request) {
  demand(request.headers["x-api-key"] === apiKey, 401, "unknown API key");
  const token = randomUUID();
  tokens.add(token);
  return { status: 200, body: { token } };
}

function createCounterparty(body, customer) {
  demand(isText(body.name), 400, "name must be a text");
  demand(isObject(body.bank_account), 400, "bank_account must be an object");
  const counterparty = { ...body, id: randomUUID() };
  counterparties.set(counterparty.id, { ...counterparty, customer });
  return { status: 201, body: counterparty };
}

function createOperation(body) {
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
    customer_id: counterparty.customer,
    counterparty_id: counterparty.id,
    bank_account: counterparty.bank_account,
    intermediary_bank: counterparty.intermediary_bank ?? null,
    batch_id: null,
    created_at: now(),
  };
  operations.set(operation.operation_id, operation);
  return { status: 201, body: operation };
}

function addItem(body, id) {
  demand(operations.has(id), 404, "the operation is unknown");
  demand(isAmount(body.local_currency_amount), 400, "local_currency_amount must be positive");
  demand(/^\d+$/.test(body.tax_id), 400, "tax_id must be digits");
  demand(isText(body.merchant), 400, "merchant must be a text");
  return { status: 200, body: { message: "ACAM item added successfully", status: "success" } };
}

function createBatch(body) {
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
  return { status: 201, body: batch };
}

async function read(request) {
  const body = await json(request).catch(() => undefined);
  demand(isObject(body), 400, "the body must be a JSON object");
  return body;
}

async function answer(request) {
  const [path] = request.url.split("?");
  const [, , second, third] = path.split("/").map(decodeURIComponent);
  const route = `${request.method} ${path}`;
  if (route === "POST /auth/token") return createToken(request);
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  demand(scheme === "Bearer" && tokens.has(token), 401, "invalid or missing token");
  if (route === "GET /batches")
    return { status: 200, body: { batches, count: batches.length, total: batches.length } };
  demand(request.method === "POST", 404, "not found");
  if (path === "/batches") return createBatch(await read(request));
  if (path === "/corporate/operation") return createOperation(await read(request));
  if (/^\/corporate\/operation\/[^/]+\/acam$/.test(path))
    return addItem(await read(request), third);
  if (/^\/customers\/[^/]+\/counterparty$/.test(path))
    return createCounterparty(await read(request), second);
  demand(false, 404, "not found");
}

async function respond(request, response) {
  const { status, body } = await answer(request).catch((error) => ({
    status: error.status ?? 500,
    body: { error: error.message },
  }));
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

const server = createServer((request, response) => void respond(request, response));
server.listen(Number(process.argv[2] ?? 8080), () =>
  console.log(`http://localhost:${server.address().port}`),
);
