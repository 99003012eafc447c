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
