import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { answers, refusalOf } from "../change.ts";
import type { When } from "../change.ts";
import type { Answer } from "../policy.ts";
import type { RefusalReason } from "../refusal.ts";
import { rows as rowsAt, rowsOf, withPurposes } from "./fault.ts";
import type { Fault } from "./fault.ts";

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

/** What a refusal is for, in a sentence. */
const causes = {
  token: "a bad token",
  invalid: "invalid data",
  malformed: "malformed JSON",
  operation: "an unknown operation",
} as const satisfies Partial<Record<RefusalReason, string>>;

type Row = readonly [id: string, shape: keyof typeof shapes, cause?: keyof typeof causes | "400"];

/** Faults of the errors of an endpoint; `400` stands for all invalid requests. */
const errorsOf = (operation: OperationName, prefix: string, breaks: RequirementId, rows: readonly Row[]) =>
  rows.map(([id, shape, cause]) => {
    const name = cause === undefined ? "Every error" : `The error for ${cause === "400" ? "bad data" : causes[cause]}`;
    const isBad: When = ({ status }, call) => status === 400 && call.operation === operation;
    const when = cause === "400" ? isBad : refusalOf(operation, ...(cause === undefined ? [] : [cause]));
    const row = rowsOf(operation, prefix)(id, breaks, `${name} ${shapes[shape][0]}.`);
    return row.by(answers(when, shaped(shape)));
  });

/** Faults of the bodies of errors. */
export const errorShapeFaults: readonly Fault[] = [
  ...errorsOf("createToken", "key-", "AUTH-12", [
    ["error-renamed", "renamed"],
    ["error-message-object", "object"],
  ]),
  ...errorsOf("createCounterparty", "counterparty-", "CPTY-12", [
    ["error-renamed", "renamed"],
    ["error-errors", "errors"],
    ["error-list", "list", "invalid"],
    ["error-token-string", "string", "token"],
  ]),
  ...errorsOf("createOperation", "operation-", "OPER-17", [
    ["invalid-error-renamed", "renamed", "400"],
    ["invalid-error-list", "list", "400"],
    ["invalid-error-number", "number", "400"],
    ["token-error-nested", "nested", "token"],
    ["malformed-error-string", "string", "malformed"],
  ]),
  ...errorsOf("addAcamItem", "acam-", "ACAM-06", [
    ["error-renamed", "renamed"],
    ["unknown-error-empty", "empty", "operation"],
    ["invalid-error-object", "object", "invalid"],
    ["token-error-array", "array", "token"],
  ]),
  ...errorsOf("createBatch", "batch-", "BATCH-08", [
    ["error-renamed", "renamed"],
    ["error-message-null", "null"],
    ["error-invalid-errors", "errors", "invalid"],
  ]),
  ...errorsOf("listBatches", "list-", "BATCH-28", [
    ["error-renamed", "renamed"],
    ["error-number", "number"],
    ["error-empty", "empty"],
  ]),
  rowsOf("createToken")("key-error-only-for-missing", "AUTH-12", "The error for a missing key has no message.").refuses(
    (answer, call) => (call.headers["x-api-key"] === undefined ? { ...answer, body: { code: "NO_KEY" } } : answer),
  ),
  rowsAt
    .addAcamItem(
      "purpose-error-code",
      "ACAM-06",
      "The error for a purpose other than EFX has no message.",
      withPurposes,
    )
    .refuses(() => ({ status: 409, headers: {}, body: { code: "NOT_EFX" } }), "purpose"),
];
