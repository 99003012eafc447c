import { endpoints } from "../../spec/endpoints.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { operationTitle } from "../../spec/operations.ts";
import { fieldOf, isRefusal, isSuccess, type Exchange } from "../../model/exchange.ts";
import { isObject, memberOf, type Json } from "../../spec/json.ts";

export interface AnsweredQuestion {
  readonly question: QuestionId;
  /** The case of the question, by a name that is the same in every run. */
  readonly case: string;
  readonly answer: string;
}

/** Members that the response to a request for a new operation may leave out (OPEN-40). */
const operationMembers = [
  "operation_purpose",
  "foreign_currency_amount",
  "currency_pair",
  "customer_id",
  "counterparty_id",
  "bank_account",
  "intermediary_bank",
  "batch_id",
  "created_at",
];

/**
 * The answers that any exchange gives to open questions. Answers that depend on the moment, such as
 * on the age of a token, are left to scenarios.
 */
export function standingObservations(exchange: Exchange): readonly AnsweredQuestion[] {
  if (exchange.exemptBy !== undefined) return [];
  const observed: AnsweredQuestion[] = [];
  const observe = (question: QuestionId, inCase: string, answer: string): void =>
    void observed.push({ question, case: inCase, answer });
  const { status, headers } = exchange.response;
  const title = operationTitle(exchange.operation);
  const question = endpoints[exchange.operation].successQuestion;
  if (isSuccess(exchange) && question !== undefined) observe(question, "a success", String(status));
  if (status === 401)
    observe("OPEN-25", title, fieldOf(headers, "www-authenticate") === undefined ? "no" : "yes");
  if (isRefusal(exchange) && status !== 429 && isObject(exchange.json)) {
    const members = Object.keys(exchange.json).filter((name) => name !== "message");
    const shown =
      members.length > mostMembers ? [`more than ${mostMembers} members`] : members.sort();
    observe("OPEN-26", title, shown.join(", ") || "nothing beside message");
  }
  for (const [name, value] of headers)
    if (/version|deprecat|sunset/i.test(name)) observe("OPEN-43", name.toLowerCase(), value);
  if (isSuccess(exchange) && exchange.intent.kind !== "invalid")
    observed.push(...observedIn(exchange));
  return observed;
}

function observedIn({ operation, json }: Exchange): readonly AnsweredQuestion[] {
  if (operation === "createOperation") {
    return [
      ...statuses("OPEN-01", "a new operation", [json]),
      ...operationMembers.map((name) => ({
        question: "OPEN-40" as const,
        case: name,
        answer: memberOf(json, name) === undefined ? "absent" : "present",
      })),
    ];
  }
  if (operation === "createBatch") return statuses("OPEN-03", "a new batch", [json]);
  const batches = operation === "listBatches" ? (batchesIn(json) ?? []) : [];
  return [
    ...statuses("OPEN-03", "a listed batch", batches),
    ...statuses(
      "OPEN-01",
      "an operation in a batch",
      batches.flatMap((batch) => listOf(batch, "operations")),
    ),
  ];
}

const mostStatuses = 20;

/** The most members that an answer names. A report would cut a longer answer. */
const mostMembers = 100;

function statuses(
  question: QuestionId,
  inCase: string,
  values: readonly (Json | undefined)[],
): readonly AnsweredQuestion[] {
  const found = new Set(
    values.map((value) => memberOf(value, "status")).filter((status) => typeof status === "string"),
  );
  const answers = found.size > mostStatuses ? [`more than ${mostStatuses} statuses`] : [...found];
  return answers.map((answer) => ({ question, case: inCase, answer }));
}

/** The elements of a list. None if the value is not a list. */
export function elementsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The elements of a member that is a list. */
export const listOf = (json: Json | undefined, name: string): readonly Json[] =>
  elementsOf(memberOf(json, name));

/**
 * The batches of a list: in the member `batches`, or in a body that is itself a list of objects
 * (INT-48). Undefined if the body shows no list.
 */
export function batchesIn(json: Json | undefined): readonly Json[] | undefined {
  const list = Array.isArray(json) ? json : memberOf(json, "batches");
  if (!Array.isArray(list)) return undefined;
  const batches = list as readonly Json[];
  return list === json && !batches.every(isObject) ? undefined : batches;
}

/** The members and headers of a list that could lead to further pages (INT-29). */
export function cursorsOf(exchange: Exchange): readonly string[] {
  const known = new Set(["batches", "count", "total"]);
  const members = isObject(exchange.json)
    ? Object.keys(exchange.json).filter((name) => !known.has(name))
    : [];
  const links = exchange.response.headers
    .map(([name]) => name.toLowerCase())
    .filter((name) => /^link$|page|cursor|next|total-count/.test(name));
  return [
    ...members.map((name) => `member ${name}`),
    ...links.map((name) => `header ${name}`),
  ].slice(0, 12);
}
