import type { OperationName } from "../spec/operations.ts";
import type { Answer, Call, Change, Handler, Wire } from "./policy.ts";

/** An object as JSON has it. */
export type Json = Record<string, unknown>;

/** Stands around the whole application. The inner one sees what `change` passes on. */
export const around =
  (change: (call: Call, next: Handler) => Promise<Answer>): Change =>
  (base) => ({ around: (call, next) => change(call, (passed) => base.around(passed, next)) });

/** Several changes as one, the first innermost. */
export const all =
  (...changes: readonly Change[]): Change =>
  (base) =>
    changes.reduce((policy, change) => ({ ...policy, ...change(policy) }), base);

/** True for a 2xx. */
export const succeeded = (answer: Answer): boolean => answer.status >= 200 && answer.status < 300;

/** Changes every answer that `when` lets through. */
export const answers = (
  when: (answer: Answer, call: Call) => boolean,
  change: (answer: Answer, call: Call) => Answer,
): Change =>
  around(async (call, next) => {
    const answer = await next(call);
    return when(answer, call) ? change(answer, call) : answer;
  });

/** Changes the body of the successes of an endpoint. */
export const success = (operation: OperationName, change: (body: Json, call: Call) => unknown): Change =>
  answers(
    (answer, call) => call.operation === operation && succeeded(answer),
    (answer, call) => ({ ...answer, body: change(answer.body as Json, call) }),
  );

/** Changes the refusals of an endpoint. */
export const refusal = (operation: OperationName, change: (answer: Answer, call: Call) => Answer): Change =>
  answers((answer, call) => call.operation === operation && answer.status >= 400, change);

/** Reads the body of an endpoint as something else before it is checked. */
export const reading =
  (operation: OperationName, change: (body: Json, call: Call) => unknown): Change =>
  (base) => ({
    parse: (call) => {
      const body = base.parse(call);
      return call.operation === operation && isJson(body) ? change(body, call) : body;
    },
  });

/** Changes the bytes and headers of the answers that `when` lets through. */
export const wire =
  (when: (answer: Answer, call: Call) => boolean, change: (wire: Wire, call: Call) => Wire): Change =>
  (base) => ({
    encode: (answer, call) => {
      const encoded = base.encode(answer, call);
      return when(answer, call) ? change(encoded, call) : encoded;
    },
  });

/** Other bytes, with the length that they have. */
export const withBytes = (encoded: Wire, bytes: Buffer): Wire => ({
  ...encoded,
  headers: { ...encoded.headers, "content-length": String(bytes.length) },
  bytes,
});

/** Changes each batch of the list. */
export const listedBatch = (change: (batch: Json, index: number, all: readonly Json[]) => Json): Change =>
  success("listBatches", (body) => ({ ...body, batches: (body["batches"] as readonly Json[]).map(change) }));

/** Changes each operation inside a batch, of the list and of a new batch. */
export const batchOperation = (change: (operation: Json, batch: Json) => Json): Change => {
  const within = (batch: Json): Json =>
    Array.isArray(batch["operations"])
      ? { ...batch, operations: (batch["operations"] as readonly Json[]).map((one) => change(one, batch)) }
      : batch;
  return all(listedBatch(within), success("createBatch", within));
};

/** A member changed where it is there. */
export const changed = (body: Json, name: string, change: (value: unknown) => unknown): Json =>
  name in body ? { ...body, [name]: change(body[name]) } : body;

/** A member left out. */
export function without(body: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** True for an object that is no list. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The body that was sent, as an object. */
export const sent = (call: Call): Json => (isJson(call.body) ? call.body : {});

/** An error in the shape of the specification. */
export const problem = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers,
  body: { message },
});

/** Resolves after so many milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
