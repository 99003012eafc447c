export const bankMembers = ["bank_name", "swift_code", "bank_country"] as const;
export const requiredAccountMembers = [...bankMembers, "account_number"] as const;
export const accountMembers = [...requiredAccountMembers, "iban", "aba_routing_number"] as const;
export const addressMembers = ["address", "country", "city", "zip_code", "state"] as const;

export const sentMembers = {
  createCounterparty: ["name", "counterparty_address", "bank_account", "intermediary_bank", "external_id"],
  createOperation: ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"],
  addAcamItem: ["local_currency_amount", "tax_id", "merchant"],
  createBatch: ["currency_pair"],
} as const;
