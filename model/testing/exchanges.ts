import type { InterpretationId } from "../../spec/interpretations.ts";
import { operations, type OperationName } from "../../spec/operations.ts";
import type { BodyDefect } from "../bodies.ts";
import { jsonOf, type ReceivedResponse, type Exchange } from "../exchange.ts";
import { valid, type Intent } from "../request.ts";
import type { Json } from "../../spec/json.ts";

/** How an exchange differs from the success of a valid request. */
export interface ExchangeOverrides {
  readonly status?: number;
  /** The Content-Type; null for none. @defaultValue application/json */
  readonly type?: string | null;
  readonly headers?: ReceivedResponse["headers"];
  /** The body of the response as a JSON value. @defaultValue a correct one for the operation */
  readonly json?: Json;
  /** The body of the response as text or bytes, in place of `json`. */
  readonly body?: string | Uint8Array;
  readonly defect?: BodyDefect;
  /** The body of the request. @defaultValue a valid one for the operation */
  readonly sent?: Json;
  readonly intent?: Intent;
  readonly path?: string;
  readonly exemptBy?: InterpretationId;
  /** The method of the request. @defaultValue the method of the operation */
  readonly method?: string;
  readonly id?: number;
  readonly at?: number;
}

export const account = {
  bank_name: "Banco",
  swift_code: "DEUTDEFF",
  bank_country: "DE",
  account_number: "0532013000",
};
export const bank = { bank_name: "Via", swift_code: "CHASUS33", bank_country: "US" };
const address = {
  address: "Rua A 1",
  country: "BR",
  city: "Santos",
  zip_code: "11000-000",
  state: "SP",
};

const counterparty = {
  name: "Acme",
  counterparty_address: address,
  bank_account: account,
  intermediary_bank: bank,
  external_id: "x-1",
};
const operation = {
  currency_amount: 10.5,
  operation_purpose: "EFX",
  currency_pair: "USDBRL",
  counterparty_id: "c-1",
};
export const batchOperation = {
  operation_id: "o-9",
  foreign_currency_amount: 7,
  currency_pair: "USDBRL",
  status: "booked",
  customer_id: "cust",
  bank_account: account,
  created_at: "2026-01-02T03:04:05+01:00",
  counterparty_id: "c-1",
  intermediary_bank: bank,
  batch_id: "b-1",
};
export const batch = {
  id: "b-1",
  created_at: "2026-01-02T03:04:05+01:00",
  currency_pair: "USDBRL",
  status: "open",
  operation_count: 1,
  operations: [batchOperation],
};

/** For each operation, the body of a request and the body of a response that break no rule. */
export const sound = {
  createToken: { sent: undefined, response: { token: "abc.def" } },
  createCounterparty: { sent: counterparty, response: { id: "c-1", ...counterparty } },
  createOperation: {
    sent: operation,
    response: {
      operation_id: "o-1",
      operation_purpose: "EFX",
      foreign_currency_amount: 10.5,
      currency_pair: "USDBRL",
      status: "pending_quote",
      customer_id: "cust",
      counterparty_id: "c-1",
      bank_account: account,
      intermediary_bank: null,
      batch_id: null,
      created_at: "2026-01-02T03:04:05Z",
    },
  },
  addAcamItem: {
    sent: { local_currency_amount: 5, tax_id: "52998224725", merchant: "Loja" },
    response: { message: "ACAM item added successfully", status: "success" },
  },
  createBatch: { sent: { currency_pair: "USDBRL" }, response: batch },
  listBatches: { sent: undefined, response: { batches: [batch], count: 1, total: 1 } },
} as const satisfies Record<
  OperationName,
  { readonly sent: Json | undefined; readonly response: Json }
>;

const successOf = (name: OperationName): number => (name === "createBatch" ? 201 : 200);

/** The success of a valid request, changed by `overrides`. */
export function exchangeOf(name: OperationName, overrides: ExchangeOverrides = {}): Exchange {
  const { method, path } = operations[name];
  const sent: Json | undefined = overrides.sent ?? sound[name].sent;
  const type = overrides.type === undefined ? "application/json" : overrides.type;
  const response = responseOf({
    status: successOf(name),
    json: sound[name].response,
    ...overrides,
    headers: [
      ...(type === null ? [] : [["Content-Type", type] as const]),
      ...(overrides.headers ?? []),
    ],
  });
  return {
    id: overrides.id ?? 1,
    operation: name,
    intent: overrides.intent ?? valid,
    scenario: "TEST",
    request: {
      method: overrides.method ?? method,
      url: `https://fx.example${overrides.path ?? path}`,
      headers: [["Accept", "application/json"]],
      body: sent === undefined ? undefined : Buffer.from(JSON.stringify(sent)),
      json: sent,
    },
    response,
    at: overrides.at ?? 0,
    json: jsonOf(response),
    exemptBy: overrides.exemptBy,
  };
}

/** Makes a response in the form in which the HTTP client of the harness returns it. */
export function responseOf({
  status = 200,
  headers,
  json,
  body,
  defect,
}: ExchangeOverrides): ReceivedResponse {
  return {
    status,
    statusText: "",
    headers: headers ?? [["Content-Type", "application/json"]],
    body:
      typeof body === "string"
        ? Buffer.from(body)
        : (body ?? Buffer.from(JSON.stringify(json ?? {}))),
    waited: 1,
    took: 2,
    defect,
  };
}

/**
 * A copy of a JSON value with another value at a pointer, or without the value there if
 * `replacement` is undefined.
 */
export function changed(value: Json, pointer: string, replacement: Json | undefined): Json {
  const [, first, ...rest] = pointer.split("/");
  if (first === undefined) return replacement ?? null;
  const inner = (one: Json | undefined): readonly Json[] => {
    const now =
      rest.length === 0 ? replacement : changed(one ?? {}, `/${rest.join("/")}`, replacement);
    return now === undefined ? [] : [now];
  };
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((one, i) =>
      i === Number(first) ? inner(one) : [one],
    );
  }
  const object = value as Readonly<Record<string, Json>>;
  const { [first]: old, ...others } = object;
  const [now] = inner(old);
  return now === undefined ? others : { ...object, [first]: now };
}
