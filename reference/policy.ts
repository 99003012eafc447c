import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { OperationName } from "../spec/operations.ts";

/** A request on its way through the application. */
export interface Call {
  /** The endpoint. Absent if no endpoint has this path and method. */
  readonly operation?: OperationName;
  readonly method: string;
  /** The request target as it was sent, with the query. */
  readonly url: string;
  /** The path as it was sent, below the base path and without the query. */
  readonly path: string;
  /** The decoded id of the customer or operation in the path. Empty if the path has none. */
  readonly parameter: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** How long the connection was idle before this request, in milliseconds. */
  readonly idle: number;
  /** The same object for all requests of a connection. */
  readonly connection: object;
  /** The number of this request among the requests to its endpoint, from 1. */
  readonly nth: number;
  readonly policy: Policy;
  readonly store: Store;
  readonly apiKey: string;
  readonly customerId: string;
  /** The parsed body. Undefined until it is parsed. */
  body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A value that is sent as JSON. Without it, the response has no body. */
  readonly body?: unknown;
  /** A text that is sent as it is, in place of `body`. */
  readonly text?: string;
  /** Why the request is refused. Absent for a success. */
  readonly refusal?: RefusalReason;
  /** What happens in place of a response: the connection is dropped, or stays open and silent. */
  readonly fate?: "drop" | "hang";
}

export interface RawResponse {
  readonly status: number;
  /** The reason phrase of the status line. Absent: the usual one. */
  readonly reason?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

export type Handler = (call: Call) => Promise<Answer>;
export type Kind = "counterparty" | "operation" | "batch";

/** Every decision of the server, by name. A fault or a variant replaces some of them. */
export interface Policy {
  /** The prefix of every path: empty, or of the form `/like/this`. */
  readonly basePath: string;
  readonly seed: (store: Store, policy: Policy) => void;
  readonly newId: (kind: Kind, call: Call) => string | Promise<string>;
  readonly newToken: (call: Call) => string;
  readonly timestamp: (time: Date, kind: "operation" | "batch") => string;

  /** Wraps all steps below: it gets the call first and returns the answer last. */
  readonly around: (call: Call, next: Handler) => Promise<Answer>;
  /** The order of the two steps before `perform`. */
  readonly order: readonly ("authenticate" | "read")[];
  readonly admitsKey: (key: string | undefined, call: Call) => boolean;
  /** The token in an Authorization header. Undefined if the header holds no bearer token. */
  readonly tokenIn: (authorization: string | undefined, call: Call) => string | undefined;
  readonly admitsToken: (token: string, call: Call) => boolean;
  /** Returns the parsed body. Throws a `Refusal` if the body cannot be parsed. */
  readonly parse: (call: Call) => unknown;
  /** Throws a `Refusal` if the path parameter or the body is not accepted. */
  readonly check: (call: Call) => void;
  readonly purposes: ReadonlySet<string>;
  readonly customer: (id: string, call: Call) => void;
  readonly findCounterparty: (id: string, call: Call) => Counterparty | undefined;
  readonly findOperation: (id: string, call: Call) => Operation | undefined;
  /** Whether a new batch of this pair takes an operation. */
  readonly takes: (operation: Operation, pair: string, call: Call) => boolean;
  /** The batches that the list shows, in the order of the list. */
  readonly listed: (call: Call) => readonly Batch[];
  readonly perform: (call: Call) => Promise<Answer>;

  readonly serialise: (body: unknown, call: Call) => string;
  readonly encode: (answer: Answer, call: Call) => RawResponse;
  readonly deliver: (raw: RawResponse, response: ServerResponse, call: Call) => void;
  /** Handles plain HTTP on the port of TLS. Without this, such a connection is closed. */
  readonly plainHttp?: (
    request: IncomingMessage,
    response: ServerResponse,
    serve: () => void,
  ) => void;
  /** How long a connection may be idle, in milliseconds. */
  readonly idle?: number;
}

/** Returns the decisions that differ from those in `base`. Called once for each server. */
export type Change = (base: Policy) => Partial<Policy>;

/** Why a request is refused. Variants give some reasons another status. */
export type RefusalReason = RefusedByHttp | RefusedBody | RefusedByState;
type RefusedByHttp = "key" | "token" | "path" | "method" | "media type";
type RefusedBody = "malformed" | "invalid" | "amount" | "pair" | "purpose";
type RefusedByState =
  "customer" | "operation" | "counterparty" | "second item" | "duplicate" | "limit";

/** Refuses a request: thrown anywhere in the application, and sent as `{ message }`. */
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

/** A payee. A lenient variant accepts a payee without most of these members. */
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
    /** When each token was issued, in milliseconds since 1970. */
    tokens: new Map<string, number>(),
  };
}

/** Everything that a server stores, oldest first. */
export type Store = Readonly<ReturnType<typeof emptyStore>>;
