import type { OperationName } from "../spec/operations.ts";
import type { Answer, Batch, Call, Change, Handler, Kind, Operation, RawResponse, RefusalReason } from "./policy.ts";

/** Wraps the whole application. `next` handles the call that `change` passes to it. */
export const around =
  (change: (call: Call, next: Handler) => Promise<Answer>): Change =>
  (base) => ({ around: (call, next) => change(call, (passed) => base.around(passed, next)) });

/** Combines changes; each sees the policy that the ones before it made. */
export const all =
  (...changes: readonly Change[]): Change =>
  (base) =>
    changes.reduce((policy, change) => ({ ...policy, ...change(policy) }), base);

/** A change that keeps state: `make` is called once for each server. */
export const remembering =
  (make: () => Change): Change =>
  (base) =>
    make()(base);

export const succeeded = (answer: Answer): boolean => answer.status >= 200 && answer.status < 300;
export type When = (answer: Answer, call: Call) => boolean;

export const successOf =
  (operation: OperationName): When =>
  (answer, call) =>
    call.operation === operation && succeeded(answer);

/** The refusals of an endpoint for one of these reasons, or for any if none is given. */
export const refusalOf =
  (operation: OperationName, ...reasons: readonly RefusalReason[]): When =>
  ({ status, refusal: reason }, call) =>
    call.operation === operation &&
    (reasons.length === 0 ? status >= 400 : reason !== undefined && reasons.includes(reason));

export const answers = (when: When, change: (answer: Answer, call: Call) => Answer): Change =>
  around(async (call, next) => {
    const answer = await next(call);
    return when(answer, call) ? change(answer, call) : answer;
  });

export const success = (operation: OperationName, change: Edit): Change =>
  answers(successOf(operation), (answer, call) => ({ ...answer, body: change(answer.body as Json, call) }));

/** Changes the answers selected by `when` whose value was in an earlier one of them. */
export const repeated = (when: When, valueOf: (call: Call) => unknown, change: (answer: Answer) => Answer): Change =>
  remembering(() => {
    const seen = new Set<unknown>();
    return answers(when, (answer, call) => {
      const known = seen.has(valueOf(call));
      seen.add(valueOf(call));
      return known ? change(answer) : answer;
    });
  });

/** Wraps the calls that `counts` selects; `inFlight` says how many of them are in flight, this one included. */
export const crowded = (
  counts: (call: Call) => boolean,
  change: (inFlight: () => number, next: () => Promise<Answer>) => Promise<Answer>,
): Change =>
  remembering(() => {
    let count = 0;
    return around(async (call, next) => {
      if (!counts(call)) return next(call);
      count += 1;
      try {
        return await change(
          () => count,
          () => next(call),
        );
      } finally {
        count -= 1;
      }
    });
  });

export const insteadOfEach = (n: number, answer: Answer): Change =>
  remembering(() => {
    let requests = 0;
    return instead(() => (requests += 1) % n === 0, answer);
  });

/** Gives `answer` to the requests that `when` selects, without authenticating or reading them. */
export const instead = (when: (call: Call) => boolean, answer: Answer): Change =>
  around(async (call, next) => (when(call) ? answer : next(call)));

/** Changes the parsed body of an endpoint before it is checked. */
export const reading =
  (operation: OperationName, change: Edit): Change =>
  (base) => ({
    parse: (call) => {
      const body = base.parse(call);
      return call.operation === operation && isJson(body) ? change(body, call) : body;
    },
  });

/** Gives resources of a kind other ids; `next` makes the id that a resource would have without this change. */
export const newIds =
  (kind: Kind, give: (call: Call, next: () => string | Promise<string>) => string | Promise<string>): Change =>
  (base) => ({ newId: (of, call) => (of === kind ? give(call, () => base.newId(of, call)) : base.newId(of, call)) });

export const rawResponse =
  (when: When, change: (raw: RawResponse, call: Call) => RawResponse): Change =>
  (base) => ({
    encode: (answer, call) => {
      const encoded = base.encode(answer, call);
      return when(answer, call) ? change(encoded, call) : encoded;
    },
  });

export const withBytes = (encoded: RawResponse, bytes: Buffer): RawResponse => ({
  ...encoded,
  headers: { ...encoded.headers, "content-length": String(bytes.length) },
  bytes,
});

export const listedBatch = (change: Edit): Change =>
  success("listBatches", (body, call) =>
    edit("batches", (batches: readonly Json[]) => batches.map((batch) => change(batch, call)))(body),
  );

/** Changes each operation inside a batch, of the list and of a new batch. */
export const batchOperation = (change: Edit): Change => {
  const within: Edit = (batch, call) =>
    Array.isArray(batch["operations"]) ? editOperations((operation) => change(operation, call))(batch) : batch;
  return all(listedBatch(within), success("createBatch", within));
};

export const editOperations = (change: (operation: Json) => unknown) =>
  edit("operations", (operations: readonly Json[]) => operations.map(change));

export const withOldBatches =
  (count: number): Change =>
  (base) => ({
    seed: (store, policy) => {
      base.seed(store, policy);
      const now = Date.now();
      for (let n = 0; n < count; n += 1) store.batches.push(oldBatch(n, now - (count - n) * 60_000));
    },
  });

export const anyPurpose: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });
export const sent = (call: Call): Json => (isJson(call.body) ? call.body : {});

export const problem = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers,
  body: { message },
});

export const delayed = (ms: (call: Call) => number): Change =>
  around(async (call, next) => {
    await pause(ms(call));
    return next(call);
  });

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
export type Json = Record<string, unknown>;
export type Edit = (body: Json, call: Call) => unknown;

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const set =
  (members: Json) =>
  <T extends object>(it: T): T => ({ ...it, ...members });

export const omit =
  (...names: readonly string[]) =>
  (it: Json): Json =>
    Object.fromEntries(Object.entries(it).filter(([name]) => !names.includes(name)));

export const rename =
  (from: string, to: string) =>
  (it: Json): Json => ({ ...omit(from)(it), [to]: it[from] });

/** Changes a member if it is present. `T` is its type on a server that obeys. */
export const edit =
  <T>(name: string, change: (value: T) => unknown) =>
  (it: Json): Json =>
    name in it ? { ...it, [name]: change(it[name] as T) } : it;

function oldBatch(index: number, time: number): Batch {
  const id = `old-batch-${index}`;
  const createdAt = new Date(time);
  const operation: Operation = {
    id: `old-operation-${index}`,
    purpose: "EFX",
    amount: 10 + index / 100,
    pair: "USDBRL",
    counterparty: {
      id: `old-counterparty-${index}`,
      bank_account: {
        bank_name: "Chase",
        swift_code: "CHASUS33",
        bank_country: "US",
        account_number: String(100_000_000 + index),
      },
    },
    createdAt,
    batch: id,
    items: 0,
  };
  return { id, pair: "USDBRL", createdAt, operations: [operation] };
}
