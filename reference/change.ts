import { setTimeout } from "node:timers/promises";
import type { OperationName } from "../spec/operations.ts";
import type {
  Answer,
  Batch,
  Call,
  Change,
  Handler,
  Kind,
  Operation,
  RawResponse,
  RefusalReason,
} from "./policy.ts";

export type Json = Record<string, unknown>;
/** Makes another body from the right body. */
export type Edit = (body: Json, call: Call) => unknown;
/** Selects answers by what they are or by the call. */
export type When = (answer: Answer, call: Call) => boolean;

/** A change around the whole application. `next` handles the call that `change` passes on. */
export function around(change: (call: Call, next: Handler) => Promise<Answer>): Change {
  return (base) => ({
    around: (call, next) => change(call, (passed) => base.around(passed, next)),
  });
}

/** Combines changes. Each change sees the policy that the changes before it made. */
export function all(...changes: readonly Change[]): Change {
  return (base) => changes.reduce((policy, change) => ({ ...policy, ...change(policy) }), base);
}

/** A change that keeps state: `make` is called once for each server. */
export function remembering(make: () => Change): Change {
  return (base) => make()(base);
}

export function succeeded(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

export function successOf(operation: OperationName): When {
  return (answer, call) => call.operation === operation && succeeded(answer);
}

/**
 * Selects the refusals of an endpoint for one of these reasons, or for any reason if none is given.
 */
export function refusalOf(operation: OperationName, ...reasons: readonly RefusalReason[]): When {
  return ({ status, refusal }, call) => {
    if (call.operation !== operation) return false;
    if (reasons.length === 0) return status >= 400;
    return refusal !== undefined && reasons.includes(refusal);
  };
}

/** Changes the answers that `when` selects. */
export function answers(when: When, change: (answer: Answer, call: Call) => Answer): Change {
  return around(async (call, next) => {
    const answer = await next(call);
    return when(answer, call) ? change(answer, call) : answer;
  });
}

/** Changes the body of each success of an endpoint. */
export function success(operation: OperationName, change: Edit): Change {
  return answers(successOf(operation), (answer, call) => ({
    ...answer,
    body: change(answer.body as Json, call),
  }));
}

/**
 * Changes an answer that `when` selects if `valueOf` returned the same value for the call of an
 * earlier selected answer.
 */
export function repeated(
  when: When,
  valueOf: (call: Call) => unknown,
  change: (answer: Answer, call: Call) => Answer,
): Change {
  return remembering(() => {
    const seen = new Set<unknown>();
    return answers(when, (answer, call) => {
      const known = seen.has(valueOf(call));
      seen.add(valueOf(call));
      return known ? change(answer, call) : answer;
    });
  });
}

/**
 * Wraps the calls that `counts` selects. `inFlight` returns how many of them are in flight,
 * including this one.
 */
export function crowded(
  counts: (call: Call) => boolean,
  change: (inFlight: () => number, next: () => Promise<Answer>) => Promise<Answer>,
): Change {
  return remembering(() => {
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
}

export function insteadOfEach(n: number, answer: Answer): Change {
  return remembering(() => {
    let requests = 0;
    return around(async (call, next) => {
      requests += 1;
      return requests % n === 0 ? answer : next(call);
    });
  });
}

/**
 * Gives `answer` to the requests that `when` selects, without checking their token or reading them.
 */
export function instead(when: (call: Call) => boolean, answer: Answer): Change {
  return around(async (call, next) => (when(call) ? answer : next(call)));
}

/**
 * Changes the parsed body of requests to an endpoint, if the body is an object, before it is
 * checked.
 */
export function reading(operation: OperationName, change: Edit): Change {
  return (base) => ({
    parse: (call) => {
      const body = base.parse(call);
      return call.operation === operation && isJson(body) ? change(body, call) : body;
    },
  });
}

type GivenId = string | Promise<string>;

/**
 * Gives resources of a kind other ids. `next` makes the id that the resource would get without this
 * change.
 */
export function newIds(kind: Kind, give: (call: Call, next: () => GivenId) => GivenId): Change {
  return (base) => ({
    newId: (of, call) =>
      of === kind ? give(call, () => base.newId(of, call)) : base.newId(of, call),
  });
}

/** Changes how the answers that `when` selects are written as responses. */
export function rawResponse(
  when: When,
  change: (raw: RawResponse, call: Call) => RawResponse,
): Change {
  return (base) => ({
    encode: (answer, call) => {
      const encoded = base.encode(answer, call);
      return when(answer, call) ? change(encoded, call) : encoded;
    },
  });
}

export function withBytes(encoded: RawResponse, bytes: Buffer): RawResponse {
  return {
    ...encoded,
    headers: { ...encoded.headers, "content-length": String(bytes.length) },
    bytes,
  };
}

/** Changes each batch in the list. */
export function listedBatch(change: Edit): Change {
  return success("listBatches", (body, call) => {
    const changed = edit("batches", (batches: readonly Json[]) =>
      batches.map((batch) => change(batch, call)),
    );
    return changed(body);
  });
}

/** Changes each operation inside a batch: in the list, and in the response to a new batch. */
export function batchOperation(change: Edit): Change {
  const within: Edit = (batch, call) => {
    const changed = editOperations((operation) => change(operation, call));
    return Array.isArray(batch["operations"]) ? changed(batch) : batch;
  };
  return all(listedBatch(within), success("createBatch", within));
}

export function editOperations(change: (operation: Json) => unknown): (batch: Json) => Json {
  return edit("operations", (operations: readonly Json[]) => operations.map(change));
}

/** Makes the server begin with `count` batches of one operation each, created a minute apart. */
export function withOldBatches(count: number): Change {
  return (base) => ({
    seed: (store, policy) => {
      base.seed(store, policy);
      const now = Date.now();
      for (let n = 0; n < count; n += 1)
        store.batches.push(oldBatch(n, now - (count - n) * 60_000));
    },
  });
}

export const anyPurpose: ReadonlySet<string> = Object.assign(new Set<string>(), {
  has: () => true,
});

/** The members of the parsed body. Empty if the body is not an object or was not parsed. */
export function sent(call: Call): Json {
  return isJson(call.body) ? call.body : {};
}

export function problem(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, body: { message } };
}

export const crashed: Answer = problem(500, "Internal server error");

export function htmlPage(status: number, headers: Answer["headers"] = {}): Answer {
  return {
    status,
    headers: { ...headers, "content-type": "text/html" },
    text: `<!doctype html><title>${status}</title><h1>Error ${status}</h1>`,
  };
}

export function delayed(ms: (call: Call) => number): Change {
  return around(async (call, next) => {
    await pause(ms(call));
    return next(call);
  });
}

export function pause(ms: number): Promise<void> {
  return setTimeout(ms, undefined, { ref: false });
}

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A function that adds these members to an object, or replaces them. */
export function set(members: Json): <T extends object>(it: T) => T {
  return (it) => ({ ...it, ...members });
}

/** A function that removes these members from an object. */
export function omit(...names: readonly string[]): (it: Json) => Json {
  return (it) => Object.fromEntries(Object.entries(it).filter(([name]) => !names.includes(name)));
}

/** A function that keeps these members of an object, and no others. */
export function only(...names: readonly string[]): (it: Json) => Json {
  return (it) => Object.fromEntries(Object.entries(it).filter(([name]) => names.includes(name)));
}

/** A function that renames a member of an object. */
export function rename(from: string, to: string): (it: Json) => Json {
  return (it) => ({ ...omit(from)(it), [to]: it[from] });
}

/**
 * A function that changes a member of an object if the member is present. `T` is the type of the
 * member on a server that obeys.
 */
export function edit<T>(name: string, change: (value: T) => unknown): (it: Json) => Json {
  return (it) => (name in it ? { ...it, [name]: change(it[name] as T) } : it);
}

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
