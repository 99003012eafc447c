/** Why a request is refused. Variants give some reasons another status. */
export type RefusalReason =
  | "key"
  | "token"
  | "path"
  | "method"
  | "media type"
  | "too large"
  | "malformed"
  | "invalid"
  | "amount"
  | "pair"
  | "customer"
  | "operation"
  | "counterparty"
  | "purpose"
  | "second item"
  | "duplicate"
  | "limit"
  | "too many";

/** Refuses a request: thrown anywhere in the application, sent as `{ message }`. */
export class Refusal extends Error {
  readonly status: number;
  readonly reason: RefusalReason;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, reason: RefusalReason, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.headers = headers;
  }
}
