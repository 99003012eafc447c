/** Banks that are not there, as some serialisers write them. */
export const banks = {
  nulls: { bank_name: null, swift_code: null, bank_country: null },
} as const;
