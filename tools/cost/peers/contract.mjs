// The contract, prepared for one server as a careful user of another tool does it: it contains the values that fxconform
// has in its configuration, patterns or lists instead of our formats, and links that say which
// response holds the id that a request needs.
import { bundledContract } from "../../../dist/harness/contract.js";

const formats = {
  bic: { pattern: "^[A-Z]{4}US[A-Z0-9]{2}$", example: "LKSDUS44" },
  country: { pattern: "^[A-Z]{2}$", example: "US" },
  "account-number": { pattern: "^[0-9]{6,17}$", example: "4417123456" },
  "aba-routing-number": { pattern: "^[0-9]{9}$", example: "071000013" },
  iban: { pattern: "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$", example: "DE89370400440532013000" },
  "currency-pair": { enum: ["USDBRL", "EURBRL"] },
  "cpf-cnpj": { enum: ["52998224725", "11444777000161"] },
};
/** Members that the server requires, which its team knows. */
const required = {
  CounterpartyRequest: ["name", "bank_account"],
  AcamItemRequest: ["local_currency_amount", "tax_id", "merchant"],
  BatchRequest: ["currency_pair"],
};
const texts = ["name", "merchant", "bank_name"];
const amounts = ["currency_amount", "local_currency_amount"];
const linksOf = {
  createCounterparty: {
    OperationOfCounterparty: { operationId: "createOperation", requestBody: { counterparty_id: "$response.body#/id" } },
  },
  createOperation: {
    AcamItemOfOperation: { operationId: "addAcamItem", parameters: { operation_id: "$response.body#/operation_id" } },
  },
};

/** The contract for the server that `known` describes; options add patterns, single statuses, and links. */
export const documentFor = async (known, { patterns = false, statuses = false, links = false } = {}) => {
  const { baseUrl, customerId, counterpartyId, operationId } = known;
  const document = structuredClone(await bundledContract());
  document.servers = [{ url: baseUrl }];
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) {
    if (!name.endsWith("Request")) continue;
    if (required[name] !== undefined) schema.required = required[name];
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([member, property]) => [member, precise(member, property, patterns)]),
    );
    if (name === "OperationRequest") {
      schema.properties.operation_purpose.enum = ["EFX"];
      schema.properties.counterparty_id.enum = [counterpartyId];
    }
  }
  for (const [path, item] of Object.entries(document.paths))
    for (const operation of Object.values(item)) {
      for (const parameter of operation.parameters ?? []) {
        const value = parameter.name === "customer_id" ? customerId : operationId;
        Object.assign(parameter, { example: value, schema: { type: "string", enum: [value] } });
      }
      const examples = operation.requestBody?.content["application/json"].examples;
      if (path === "/corporate/operation") examples.efx.value.counterparty_id = counterpartyId;
      if (operation.operationId === "createCounterparty") matchExamples(operation, examples);
      if (operation.operationId === "listBatches") matchList(operation);
      if (statuses) operation.responses = withStatuses(operation, known.statuses);
      for (const [status, response] of Object.entries(operation.responses))
        if (links && status.startsWith("2") && linksOf[operation.operationId])
          response.links = linksOf[operation.operationId];
    }
  return document;
};

/** Keeps one example that has all members, with a response that matches it. */
function matchExamples({ responses }, examples) {
  const { intermediary_bank } = examples.withIban.value;
  delete examples.withIban;
  const response = responses["2XX"].content["application/json"].examples.counterparty.value;
  for (const body of [examples.withRoutingNumber.value, response]) body.intermediary_bank = intermediary_bank;
}

/** Keeps one list, with an operation of a counterparty in the United States and without an intermediary bank. */
function matchList({ responses }) {
  const { examples } = responses["2XX"].content["application/json"];
  delete examples.none;
  const [operation] = examples.one.value.batches[0].operations;
  const { iban: _, ...account } = operation.bank_account;
  operation.bank_account = { ...account, aba_routing_number: "071000013" };
  delete operation.intermediary_bank;
}

/** A property with keywords that every tool knows, made from its format or its name. */
function precise(member, property, patterns) {
  if (amounts.includes(member)) return { ...property, exclusiveMinimum: 0, example: 250.75 };
  if (texts.includes(member)) return { ...property, minLength: 1, pattern: "\\S" };
  const { pattern, ...known } = formats[property.format] ?? {};
  return { ...property, ...known, ...(patterns && pattern ? { pattern, format: undefined } : {}) };
}

/** Replaces 2XX and 4XX with single statuses: the success that the server gave, and the usual refusals. */
const withStatuses = ({ operationId, responses }, given) =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      if (status === "2XX") return [[String(given[operationId] ?? 200), response]];
      if (status === "4XX") return (refusals[operationId] ?? ["400", "401"]).map((one) => [one, response]);
      return [[status, response]];
    }),
  );
const refusals = {
  createToken: ["401"],
  createCounterparty: ["400", "401", "404"],
  addAcamItem: ["400", "401", "404"],
  listBatches: ["401"],
};
