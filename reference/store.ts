/** Bank details as sent, without unknown members. */
export interface Bank {
  readonly bank_name: string;
  readonly swift_code: string;
  readonly bank_country: string;
}

/** A bank account. */
export interface BankAccount extends Bank {
  readonly account_number: string;
  readonly iban?: string;
  readonly aba_routing_number?: string;
}

/** A payee. A lenient variant accepts one without most of the members. */
export interface Counterparty {
  readonly id: string;
  readonly name?: string;
  readonly counterparty_address?: Readonly<Record<string, string>>;
  readonly bank_account?: BankAccount;
  readonly intermediary_bank?: Bank;
  readonly external_id?: string;
}

/** An FX operation. Only `batch` and `items` change after its creation. */
export interface Operation {
  readonly id: string;
  readonly purpose: string;
  readonly amount: number;
  readonly pair: string;
  readonly counterparty: Counterparty;
  readonly createdAt: Date;
  batch: string | null;
  items: number;
}

/** Operations of one pair. */
export interface Batch {
  readonly id: string;
  readonly pair: string;
  readonly createdAt: Date;
  readonly operations: Operation[];
}

/** A store with nothing in it. */
export const emptyStore = () => ({
  counterparties: new Map<string, Counterparty>(),
  operations: new Map<string, Operation>(),
  batches: [] as Batch[],
  /** Tokens with the time of their issue, in milliseconds since 1970. */
  tokens: new Map<string, number>(),
});

/** Everything that a server stores, oldest first. */
export type Store = Readonly<ReturnType<typeof emptyStore>>;
