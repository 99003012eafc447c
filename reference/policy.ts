import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { OperationName } from "../spec/operations.ts";

/** A request on its way through the application. */
export interface Call {
  /** Absent if no endpoint has this path and method. */
  readonly operation?: OperationName;
  readonly method: string;
  /** The request target as sent, with the query. */
  readonly url: string;
  /** Path as sent, below the base path, without the query. */
  readonly path: string;
  /** The id of the customer or operation in the path, decoded; empty if there is none. */
  readonly parameter: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Milliseconds for which its connection was idle before. */
  readonly idle: number;
  /** Counts the requests of this operation from 1. */
  readonly nth: number;
  readonly policy: Policy;
  readonly store: Store;
  readonly apiKey: string;
  readonly customerId: string;
  /** The parsed body; undefined until it is parsed. */
  body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Encoded as JSON; without it, the response has no body. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly text?: string;
  /** Why the request is refused; absent for a success. */
  readonly refusal?: RefusalReason;
  /** Sends no response: drops the connection, or leaves it open. */
  readonly fate?: "drop" | "hang";
}

export interface RawResponse {
  readonly status: number;
  /** Reason phrase of the status line; absent: the usual one. */
  readonly reason?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

export type Handler = (call: Call) => Promise<Answer>;
export type Kind = "counterparty" | "operation" | "batch";

/** Every decision of the server, by name. Faults and variants replace some of them. */
export interface Policy {
  /** The prefix of every path; empty, or as `/like/this`. */
  readonly basePath: string;
  readonly seed: (store: Store, policy: Policy) => void;
  readonly newId: (kind: Kind, call: Call) => string | Promise<string>;
  readonly newToken: (call: Call) => string;
  readonly timestamp: (time: Date, kind: "operation" | "batch") => string;

  /** Wraps all steps below: gets the call first and returns the answer last. */
  readonly around: (call: Call, next: Handler) => Promise<Answer>;
  /** The order of the two steps before `perform`. */
  readonly order: readonly ("authenticate" | "read")[];
  readonly admitsKey: (key: string | undefined, call: Call) => boolean;
  /** The token in an Authorization header; undefined if it holds no bearer token. */
  readonly tokenIn: (authorization: string | undefined, call: Call) => string | undefined;
  readonly admitsToken: (token: string, call: Call) => boolean;
  /** The parsed body. Throws a `Refusal` if it cannot be parsed. */
  readonly parse: (call: Call) => unknown;
  /** Throws a `Refusal` if the path parameter or the body is not accepted. */
  readonly check: (call: Call) => void;
  readonly purposes: ReadonlySet<string>;
  readonly customer: (id: string, call: Call) => void;
  readonly findCounterparty: (id: string, call: Call) => Counterparty | undefined;
  readonly findOperation: (id: string, call: Call) => Operation | undefined;
  /** Batches that the list shows, in its order. */
  readonly listed: (call: Call) => readonly Batch[];
  readonly perform: (call: Call) => Promise<Answer>;

  readonly serialise: (body: unknown, call: Call) => string;
  readonly encode: (answer: Answer, call: Call) => RawResponse;
  readonly deliver: (raw: RawResponse, response: ServerResponse, call: Call) => void;
  /** Handles plain HTTP on a TLS port; without it, such a connection is closed. */
  readonly plainHttp?: (
    request: IncomingMessage,
    response: ServerResponse,
    serve: () => void,
  ) => void;
  /** How long a connection may be idle, in milliseconds. */
  readonly idle?: number;
  /** Requests after which a connection is closed. */
  readonly perConnection?: number;
}

/** Returns the parts of the policy that differ from `base`. Called once for each server. */
export type Change = (base: Policy) => Partial<Policy>;

/** Why a request is refused. Variants give some reasons another status. */
export type RefusalReason = RefusedByHttp | RefusedBody | RefusedByState;
type RefusedByHttp = "key" | "token" | "path" | "method" | "media type";
type RefusedBody = "malformed" | "invalid" | "amount" | "pair" | "purpose";
type RefusedByState =
  "customer" | "operation" | "counterparty" | "second item" | "duplicate" | "limit";

/** Refuses a request: thrown anywhere in the application, sent as `{ message }`. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(
    status: number,
    refusal: RefusalReason,
    message: string,
    headers: Answer["headers"] = {},
  ) {
    super(message);
    this.answer = { status, headers, body: { message }, refusal };
  }
}

export const bankMembers = ["bank_name", "swift_code", "bank_country"] as const;
export const requiredAccountMembers = [...bankMembers, "account_number"] as const;
export const accountMembers = [...requiredAccountMembers, "iban", "aba_routing_number"] as const;
export const addressMembers = ["address", "country", "city", "zip_code", "state"] as const;
type Texts<Names extends readonly string[]> = Readonly<Record<Names[number], string>>;

/** A payee. A lenient variant accepts one without most of the members. */
export interface Counterparty {
  readonly id: string;
  readonly name?: string;
  readonly counterparty_address?: Partial<Texts<typeof addressMembers>>;
  readonly bank_account?: Texts<typeof requiredAccountMembers> &
    Partial<Texts<typeof accountMembers>>;
  readonly intermediary_bank?: Texts<typeof bankMembers>;
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

export interface Batch {
  readonly id: string;
  readonly pair: string;
  readonly createdAt: Date;
  readonly operations: Operation[];
}

export function emptyStore() {
  return {
    counterparties: new Map<string, Counterparty>(),
    /** When each counterparty was registered, by its id, in milliseconds since 1970. */
    registered: new Map<string, number>(),
    operations: new Map<string, Operation>(),
    batches: [] as Batch[],
    /** Tokens with the time of their issue, in milliseconds since 1970. */
    tokens: new Map<string, number>(),
  };
}

/** Everything that a server stores, oldest first. */
export type Store = Readonly<ReturnType<typeof emptyStore>>;
