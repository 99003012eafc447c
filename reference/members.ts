/** Members of a bank, all required. */
export const bankMembers = ["bank_name", "swift_code", "bank_country"] as const;

/** Members of a bank account that are required. */
export const requiredAccountMembers = [...bankMembers, "account_number"] as const;

/** Members of a bank account. */
export const accountMembers = [...requiredAccountMembers, "iban", "aba_routing_number"] as const;

/** Members of a counterparty's address. */
export const addressMembers = ["address", "country", "city", "zip_code", "state"] as const;

/** Members of the request bodies, by endpoint. */
export const sentMembers = {
  createCounterparty: ["name", "counterparty_address", "bank_account", "intermediary_bank", "external_id"],
  createOperation: ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"],
  addAcamItem: ["local_currency_amount", "tax_id", "merchant"],
  createBatch: ["currency_pair"],
} as const;

/** Members of the responses, each with the name that it has in the ids of faults. */
export const shownMembers = {
  token: { token: "token" },
  counterparty: {
    id: "id",
    name: "name",
    counterparty_address: "address",
    bank_account: "account",
    intermediary_bank: "intermediary",
    external_id: "external-id",
  },
  operation: {
    operation_id: "id",
    operation_purpose: "purpose",
    foreign_currency_amount: "amount",
    currency_pair: "pair",
    status: "status",
    customer_id: "customer",
    counterparty_id: "counterparty",
    bank_account: "account",
    intermediary_bank: "intermediary",
    batch_id: "batch",
    created_at: "time",
  },
  item: { message: "message", status: "status" },
  batch: {
    id: "id",
    created_at: "time",
    currency_pair: "pair",
    status: "status",
    operation_count: "count",
    operations: "operations",
  },
  list: { batches: "batches", count: "count", total: "total" },
} as const;
