import { currencies } from "./currencies.ts";
import type { Call } from "./policy.ts";
import { Refusal } from "./refusal.ts";

type Members = Readonly<Record<string, unknown>>;

/** Checks the path parameter and the body of a call. Throws a `Refusal` if the endpoint does not accept them. */
export function checkCall(call: Call): void {
  switch (call.operation) {
    case "createCounterparty":
      call.policy.customer(call.parameter, call);
      return checkCounterparty(objectIn(call.body, "The body"));
    case "createOperation":
      return checkOperation(objectIn(call.body, "The body"), call);
    case "addAcamItem":
      return checkAcamItem(objectIn(call.body, "The body"), call);
    case "createBatch":
      return checkPair(objectIn(call.body, "The body")["currency_pair"]);
    default:
  }
}

/** `value` as an object with members, or a refusal that names it. */
export function objectIn(value: unknown, name: string): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(`${name} is not an object`);
  return value as Members;
}

const invalid = (message: string): Refusal => new Refusal(400, "invalid", message);

function checkCounterparty(body: Members): void {
  text(body, "name");
  const address = optional(body, "counterparty_address");
  if (address) for (const name of addressMembers) optionalText(address, name, "counterparty_address");
  bank(objectIn(body["bank_account"], "bank_account"), "bank_account", ["account_number"]);
  optionalText(objectIn(body["bank_account"], "bank_account"), "iban", "bank_account");
  optionalText(objectIn(body["bank_account"], "bank_account"), "aba_routing_number", "bank_account");
  const intermediary = optional(body, "intermediary_bank");
  if (intermediary) bank(intermediary, "intermediary_bank", []);
  optionalText(body, "external_id");
}

/** Members of a counterparty's address. */
export const addressMembers = ["address", "country", "city", "zip_code", "state"] as const;

function checkOperation(body: Members, call: Call): void {
  positive(body, "currency_amount");
  const purpose = text(body, "operation_purpose");
  checkPair(body["currency_pair"]);
  const counterparty = text(body, "counterparty_id");
  if (!call.policy.purposes.has(purpose)) throw invalid(`operation_purpose ${JSON.stringify(purpose)} is not known`);
  if (call.policy.findCounterparty(counterparty, call) === undefined)
    throw new Refusal(400, "counterparty", "counterparty_id names no counterparty");
}

function checkAcamItem(body: Members, call: Call): void {
  const operation = call.policy.findOperation(call.parameter, call);
  if (operation === undefined) throw new Refusal(404, "operation", "There is no such operation");
  positive(body, "local_currency_amount");
  const taxId = text(body, "tax_id");
  if (!/^(\d{11}|\d{14})$/.test(taxId)) throw invalid("tax_id is not a CPF or CNPJ: 11 or 14 digits");
  text(body, "merchant");
  if (operation.purpose !== "EFX")
    throw new Refusal(422, "purpose", `Only EFX operations take ACAM items, and this one is ${operation.purpose}`);
}

function checkPair(pair: unknown): void {
  if (typeof pair !== "string") throw invalid("currency_pair is not a string");
  const [from, to] = [pair.slice(0, 3), pair.slice(3)];
  if (!currencies.has(from) || !currencies.has(to) || from === to)
    throw new Refusal(400, "pair", "currency_pair is not two different currency codes, joined");
}

function positive(body: Members, name: string): void {
  const value = body[name];
  if (typeof value !== "number") throw invalid(`${name} is not a number`);
  if (!(value > 0 && Number.isFinite(value))) throw new Refusal(400, "amount", `${name} is not above zero`);
}

function text(body: Members, name: string, inside?: string): string {
  const value = body[name];
  if (typeof value !== "string" || value.trim() === "")
    throw invalid(`${inside === undefined ? name : `${inside}.${name}`} is not a text`);
  return value;
}

function optionalText(body: Members, name: string, inside?: string): void {
  if (body[name] !== undefined && typeof body[name] !== "string")
    throw invalid(`${inside === undefined ? name : `${inside}.${name}`} is not a string`);
}

const optional = (body: Members, name: string): Members | undefined =>
  body[name] === undefined ? undefined : objectIn(body[name], name);

function bank(body: Members, inside: string, also: readonly string[]): void {
  for (const name of ["bank_name", "swift_code", "bank_country", ...also]) text(body, name, inside);
}
