import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { OperationName } from "../spec/operations.ts";
import type { RefusalReason } from "./refusal.ts";
import type { Batch, Counterparty, Operation, Store } from "./store.ts";

/** A request on its way through the application. */
export interface Call {
  /** Absent where no endpoint has this path and method. */
  readonly operation?: OperationName;
  readonly method: string;
  /** Path as sent, below the base path, without the query. */
  readonly path: string;
  /** The customer or operation that the path names, decoded; empty where it names none. */
  readonly parameter: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Milliseconds for which its connection carried nothing before. */
  readonly idle: number;
  /** Counts the requests of this operation from 1. */
  readonly nth: number;
  readonly policy: Policy;
  readonly store: Store;
  readonly apiKey: string;
  readonly customerId: string;
  /** What the body says, once it was read. */
  body: unknown;
}

/** What is answered, before it becomes bytes. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Becomes JSON; where it is undefined the answer has no body. */
  readonly body?: unknown;
  /** Goes out as it stands instead of `body`. */
  readonly text?: string;
  /** The reason where this is a refusal. */
  readonly refusal?: RefusalReason;
  /** No answer at all. */
  readonly fate?: "drop" | "hang";
}

/** An answer as it goes out. */
export interface RawResponse {
  readonly status: number;
  /** Reason phrase of the status line; absent: the usual one. */
  readonly reason?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

export type Handler = (call: Call) => Promise<Answer>;

/** Things that have ids. */
export type Kind = "counterparty" | "operation" | "batch";

/** Every decision of the server under a name of its own. Faults and variants replace some of them. */
export interface Policy {
  /** Put before every path; empty or `/like/this`. */
  readonly basePath: string;
  /** Fills the store before the first request. */
  readonly seed: (store: Store, policy: Policy) => void;
  readonly newId: (kind: Kind, call: Call) => string | Promise<string>;
  readonly newToken: (call: Call) => string;
  readonly timestamp: (time: Date, kind: "operation" | "batch") => string;

  /** Stands around everything that follows; sees the call first and the answer last. */
  readonly around: (call: Call, next: Handler) => Promise<Answer>;
  /** The order of the two steps before an endpoint acts. */
  readonly order: readonly ("authenticate" | "read")[];
  readonly admitsKey: (key: string | undefined, call: Call) => boolean;
  /** The token in an Authorization header, undefined where it is not a bearer token. */
  readonly tokenIn: (authorization: string | undefined, call: Call) => string | undefined;
  readonly admitsToken: (token: string, call: Call) => boolean;
  /** The body as a value; throws a refusal where it is none. */
  readonly parse: (call: Call) => unknown;
  /** Throws a refusal where path or body are not to be granted. */
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
  /** Answers plain HTTP on a port that speaks TLS; without it the connection is ended. */
  readonly plainHttp?: (request: IncomingMessage, response: ServerResponse, serve: () => void) => void;
  /** How long a connection may be idle, in milliseconds. */
  readonly idle?: number;
  /** How many requests a connection takes before it is ended. */
  readonly perConnection?: number;
}

/** A way to differ: the parts of the policy that are other than in `base`. Called once for each server. */
export type Change = (base: Policy) => Partial<Policy>;
