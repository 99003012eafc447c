// What can be wrong or odd about refusals: their shape, and their status where none is stated.
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { answers, set, type Json, type When } from "../change.ts";
import type { Answer, Call, RefusalReason } from "../policy.ts";
import { isEmpty } from "../request.ts";
import { at, deviation as anywhere, type Deviation } from "./deviation.ts";

const { token, counterparty, operation, acam, list } = at;

/** For each endpoint, the requirement that its refusals have a message. */
const errorRules = {
  token: "AUTH-12",
  counterparty: "CPTY-12",
  operation: "OPER-17",
  acam: "ACAM-06",
  batch: "BATCH-08",
  list: "BATCH-28",
} as const satisfies Record<keyof typeof at, RequirementId>;

/** The requirements that an error breaks if its message cannot be read. */
export const messages = [...Object.values(errorRules), "HTTP-02"] as const;

/** Wrong shapes of an error, in words and made from the right message. */
const shapes = {
  renamed: ["has the shape { error }", (message: string) => ({ error: message })],
  object: ["has an object as its message", (message: string) => ({ message: { en: message } })],
  string: ["is a string", (message: string) => message],
} as const;

/** A fault: the errors of an endpoint, or those for one reason, have a wrong shape. */
function shaped(
  id: string,
  name: keyof typeof at,
  shape: keyof typeof shapes,
  reason: RefusalReason | "any" = "any",
): Deviation {
  const [words, bodyOf] = shapes[shape];
  const what = reason === "any" ? "Every error" : `The error for ${reason} data`;
  const change = at[name].refuses(reason, (answer) => ({
    ...answer,
    body: bodyOf(String((answer.body as Json)["message"])),
  }));
  return at[name].deviation(id, `${what} ${words}.`, change, {
    breaks: errorRules[name],
    when: reason === "any" ? undefined : "data",
  });
}

const is400: When = ({ status }, call) => status === 400 && call.operation === "createOperation";
const withoutToken = ({ headers }: Call): boolean => headers.authorization === undefined;
const coded = (code: string, when: (call: Call) => boolean) => (answer: Answer, call: Call) =>
  when(call) ? { ...answer, body: { code } } : answer;

/**
 * The answer of some frameworks to a browser whose form has mistakes: neither a refusal nor a
 * success.
 */
function toForm({ refusal }: Answer): Answer {
  return {
    status: 302,
    headers: { location: "/form", "content-type": "text/html" },
    text: "<html><body>Found</body></html>",
    refusal,
  };
}

function typed(type: string, text: string) {
  return set({ headers: { "content-type": type }, text });
}

const faults: readonly Deviation[] = [
  ...(["counterparty", "acam", "batch"] as const).map((name) =>
    at[name].deviation(
      `${name}-invalid-redirected`,
      "Invalid data is redirected to a page.",
      at[name].refuses("invalid", toForm),
      { breaks: errorRules[name] },
    ),
  ),
  shaped("key-error-renamed", "token", "renamed"),
  shaped("counterparty-malformed-error-renamed", "counterparty", "renamed", "malformed"),
  operation.deviation(
    "operation-invalid-error-renamed",
    "The error for bad data has the shape { error }.",
    answers(is400, (answer) => ({
      ...answer,
      body: { error: (answer.body as Json)["message"] },
    })),
    { breaks: "OPER-17" },
  ),
  shaped("operation-malformed-error-string", "operation", "string", "malformed"),
  shaped("acam-invalid-error-object", "acam", "object", "invalid"),
  shaped("batch-malformed-error-renamed", "batch", "renamed", "malformed"),
  shaped("list-error-renamed", "list", "renamed"),
  list.deviation(
    "list-error-only-for-missing",
    "The error for a missing token has no message.",
    list.refuses("token", coded("NO_TOKEN", withoutToken)),
    { breaks: "BATCH-28", when: "data" },
  ),
  token.deviation(
    "key-error-only-for-missing",
    "The error for a missing key has no message.",
    token.refuses(
      "any",
      coded("NO_KEY", ({ headers }) => headers["x-api-key"] === undefined),
    ),
    { breaks: "AUTH-12", when: "data" },
  ),
  counterparty.deviation(
    "blind-problem-json-counterparty",
    "Refusals are application/problem+json without a message.",
    counterparty.refuses("any", (answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-type": "application/problem+json" },
      body: { type: "about:blank", title: "Bad Request" },
    })),
    { breaks: ["HTTP-01", "CPTY-12"] },
  ),
  list.deviation(
    "blind-empty-401-on-list",
    "The refusal of a token has no body.",
    list.refuses("token", ({ status, headers }) => ({ status, headers })),
    { breaks: ["BATCH-28", "AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39"] },
  ),
  acam.deviation(
    "blind-text-for-empty-acam-body",
    "An empty body is refused in plain text.",
    acam.refuses("malformed", (answer, call) =>
      isEmpty(call) ? typed("text/plain", "Bad Request")(answer) : answer,
    ),
    { breaks: ["HTTP-01", "HTTP-02", "ACAM-06"], when: "data" },
  ),
];

const isFree = (here?: OperationName): boolean => here !== "createOperation";
const isOperation = (here?: OperationName): boolean => here === "createOperation";
const isAny = (here?: OperationName): boolean => here !== undefined;

/**
 * Refuses requests for these reasons with another status. For POST /corporate/operation, 400 and
 * 401 are stated, but for a few reasons.
 */
function refusing(
  name: string,
  reasons: readonly RefusalReason[],
  statuses: readonly number[],
  isAt = isFree,
): readonly Deviation[] {
  return statuses.map((status) =>
    anywhere(
      `${name}-refused-${status}`,
      `A request is refused with ${status} for its ${reasons.join(" or ")}.`,
      answers(
        ({ refusal }, call) =>
          refusal !== undefined && reasons.includes(refusal) && isAt(call.operation),
        set({ status }),
      ),
      { group: `refusal for ${reasons[0]}` },
    ),
  );
}

/** Changes the bodies of all errors. */
function errors(change: (body: Json, status: number) => Json) {
  return answers(
    (answer) => answer.status >= 400 && answer.text === undefined,
    (answer) => ({ ...answer, body: change(answer.body as Json, answer.status) }),
  );
}

const ofErrors = { group: "errors" } as const;

const legal: readonly Deviation[] = [
  ...refusing("invalid", ["invalid", "malformed", "amount", "pair"], [409]),
  ...refusing("counterparty", ["counterparty"], [404, 409], isAny),
  ...refusing("values-of-operation", ["amount", "pair"], [422], isOperation),
  ...refusing("media-type", ["media type"], [400], isAny),
  ...[403, 414].map((status) =>
    anywhere(
      `refusals-${status}`,
      `Everything is refused with ${status}, where no other status is stated.`,
      answers((answer, call) => answer.status >= 400 && isFree(call.operation), set({ status })),
      { group: "refusals" },
    ),
  ),
  anywhere(
    "errors-with-codes",
    "Errors have a code, details and a time.",
    errors((body, status) => ({
      code: `FX-${status}`,
      details: [],
      timestamp: Date.now(),
      ...body,
    })),
    ofErrors,
  ),
  anywhere(
    "errors-terse",
    "The message of an error is empty.",
    errors(() => ({ message: "" })),
    ofErrors,
  ),
];

export const refusals: readonly Deviation[] = [...faults, ...legal];
