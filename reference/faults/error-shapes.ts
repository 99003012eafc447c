import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { answers, refusalOf, type When } from "../change.ts";
import type { Answer, Call, RefusalReason } from "../policy.ts";
import { rows, rowsOf, withPurposes, type Fault } from "./fault.ts";

/** Error bodies that break the specified shape, made from the right message and the status; with the words for them. */
const shapes = {
  renamed: ["has the shape { error }", (message) => ({ error: message })],
  number: ["has a number as its message", (_message, status) => ({ message: status })],
  object: ["has an object as its message", (message) => ({ message: { en: message } })],
  list: ["has an array as its message", (message) => ({ message: [message] })],
  null: ["has a null message", () => ({ message: null })],
  errors: ["has the shape { errors: [{ detail }] }", (message) => ({ errors: [{ detail: message }] })],
  nested: ["has the shape { error: { message } }", (message) => ({ error: { message } })],
  string: ["is a string", (message) => message],
  array: ["is an array", (message) => [{ message }]],
  empty: ["is {}", () => ({})],
} as const satisfies Record<string, readonly [words: string, bodyOf: (message: string, status: number) => unknown]>;

const shaped =
  (shape: keyof typeof shapes) =>
  (answer: Answer): Answer => {
    const { message } = answer.body as { readonly message?: unknown };
    return { ...answer, body: shapes[shape][1](String(message), answer.status) };
  };

const causes = {
  token: "a bad token",
  invalid: "invalid data",
  malformed: "malformed JSON",
  operation: "an unknown operation",
} as const satisfies Partial<Record<RefusalReason, string>>;

const errorRules = {
  createToken: "AUTH-12",
  createCounterparty: "CPTY-12",
  createOperation: "OPER-17",
  addAcamItem: "ACAM-06",
  createBatch: "BATCH-08",
  listBatches: "BATCH-28",
} as const satisfies Record<OperationName, RequirementId>;

const key = rowsOf("createToken", "key-");

/** A fault of the errors of an endpoint; `400` stands for all invalid requests. */
const error = (
  at: OperationName,
  id: string,
  shape: keyof typeof shapes,
  cause?: keyof typeof causes | "400",
): Fault => {
  const name = cause === undefined ? "Every error" : `The error for ${cause === "400" ? "bad data" : causes[cause]}`;
  const isBad: When = ({ status }, call) => status === 400 && call.operation === at;
  const when = cause === "400" ? isBad : refusalOf(at, ...(cause === undefined ? [] : [cause]));
  const row = at === "createToken" ? key : rows[at];
  return row(id, errorRules[at], `${name} ${shapes[shape][0]}.`).by(answers(when, shaped(shape)));
};

const { addAcamItem: acam } = rows;
const forMissing = (answer: Answer, { headers }: Call): Answer =>
  headers["x-api-key"] === undefined ? { ...answer, body: { code: "NO_KEY" } } : answer;
const notEfx = (): Answer => ({ status: 409, headers: {}, body: { code: "NOT_EFX" } });

export const errorShapeFaults: readonly Fault[] = [
  error("createToken", "error-renamed", "renamed"),
  error("createToken", "error-message-object", "object"),
  error("createCounterparty", "error-renamed", "renamed"),
  error("createCounterparty", "error-errors", "errors"),
  error("createCounterparty", "error-list", "list", "invalid"),
  error("createCounterparty", "error-token-string", "string", "token"),
  error("createOperation", "invalid-error-renamed", "renamed", "400"),
  error("createOperation", "invalid-error-list", "list", "400"),
  error("createOperation", "invalid-error-number", "number", "400"),
  error("createOperation", "token-error-nested", "nested", "token"),
  error("createOperation", "malformed-error-string", "string", "malformed"),
  error("addAcamItem", "error-renamed", "renamed"),
  error("addAcamItem", "unknown-error-empty", "empty", "operation"),
  error("addAcamItem", "invalid-error-object", "object", "invalid"),
  error("addAcamItem", "token-error-array", "array", "token"),
  error("createBatch", "error-renamed", "renamed"),
  error("createBatch", "error-message-null", "null"),
  error("createBatch", "error-invalid-errors", "errors", "invalid"),
  error("listBatches", "error-renamed", "renamed"),
  error("listBatches", "error-number", "number"),
  error("listBatches", "error-empty", "empty"),
  key("error-only-for-missing", "AUTH-12", "The error for a missing key has no message.").refuses("any", forMissing),
  acam("purpose-error-code", "ACAM-06", "The error for a purpose is a code.", withPurposes).refuses("purpose", notEfx),
];
