import type { QuestionId } from "../../spec/questions.ts";
import type { OperationName } from "../../spec/operations.ts";
import {
  changeOf,
  fieldOf,
  isObject,
  isRefusal,
  isSuccess,
  memberOf,
  type Exchange,
  type Intent,
  type Json,
} from "../../model/exchange.ts";

/** What an exchange shows of an open question. */
export interface Observed {
  readonly question: QuestionId;
  /** Which case of the question, by a name that is the same in every run. */
  readonly case: string;
  readonly answer: string;
}

/** Open questions about the status of a success or of a refusal. */
const statusQuestions: Readonly<
  Partial<Record<OperationName, { readonly success?: QuestionId; readonly refusal?: QuestionId }>>
> = {
  createToken: { refusal: "OPEN-07" },
  createCounterparty: { success: "OPEN-08", refusal: "OPEN-09" },
  addAcamItem: { success: "OPEN-10", refusal: "OPEN-11" },
  createBatch: { success: "OPEN-12", refusal: "OPEN-13" },
  listBatches: { success: "OPEN-15", refusal: "OPEN-15" },
};

/** Members that a new operation may leave out. */
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

/** What any exchange shows of what the specification leaves open. */
export const standingObservations = (exchange: Exchange): readonly Observed[] => {
  if (exchange.offContract) return [];
  const observed: Observed[] = [];
  const see = (question: QuestionId, inCase: string, answer: string): void =>
    void observed.push({ question, case: inCase, answer });
  const { status, headers } = exchange.response;
  const question = statusQuestions[exchange.operation];
  if (isSuccess(exchange) && question?.success !== undefined) see(question.success, "a success", String(status));
  if (isRefusal(exchange) && status !== 429 && question?.refusal !== undefined) {
    see(question.refusal, caseOf(exchange.intent), String(status));
  }
  if (status === 401) see("OPEN-25", "a 401", fieldOf(headers, "www-authenticate") === undefined ? "no" : "yes");
  if (isRefusal(exchange) && isObject(exchange.json)) {
    const extra = Object.keys(exchange.json)
      .filter((name) => name !== "message")
      .slice(0, 8);
    see("OPEN-26", "an error", extra.length === 0 ? "nothing beside message" : extra.join(", "));
  }
  const version = headers.find(([name]) => /version|deprecat|sunset/i.test(name));
  if (version !== undefined) see("OPEN-43", version[0], version[1]);
  if (isSuccess(exchange) && exchange.intent.kind !== "invalid") observed.push(...observedIn(exchange));
  return observed;
};

/** The name of a refused request, which is the same in every run. */
const caseOf = (intent: Intent): string =>
  intent.kind === "valid" ? "a valid request" : (intent.id ?? changeOf(intent));

const observedIn = (exchange: Exchange): readonly Observed[] => {
  if (exchange.operation === "createOperation") {
    const absent = operationMembers.filter((name) => memberOf(exchange.json, name) === undefined);
    return [
      ...statusOf("OPEN-01", exchange.json),
      {
        question: "OPEN-40",
        case: "a new operation",
        answer: absent.length === 0 ? "all are present" : `absent: ${absent.join(", ")}`,
      },
    ];
  }
  if (exchange.operation === "createBatch") return statusOf("OPEN-03", exchange.json);
  if (exchange.operation !== "listBatches") return [];
  const batches = memberOf(exchange.json, "batches");
  if (!Array.isArray(batches)) return [];
  const list = batches as readonly Json[];
  const values = new Map<string, Observed>();
  for (const batch of list.slice(0, 2000)) {
    for (const seen of statusOf("OPEN-03", batch)) values.set(`3 ${seen.answer}`, seen);
    const inner = memberOf(batch, "operations");
    if (Array.isArray(inner)) {
      for (const operation of (inner as readonly Json[]).slice(0, 200))
        for (const seen of statusOf("OPEN-01", operation)) values.set(`1 ${seen.answer}`, seen);
    }
    if (values.size > 50) break;
  }
  return [
    ...values.values(),
    { question: "OPEN-16", case: "count", answer: against(memberOf(exchange.json, "count"), list.length) },
    { question: "OPEN-16", case: "total", answer: against(memberOf(exchange.json, "total"), list.length) },
    ...orderOf(list),
    { question: "OPEN-18", case: "the list", answer: cursorsOf(exchange).join(", ") || "nothing looks like a cursor" },
  ];
};

const statusOf = (question: QuestionId, json: Json | undefined): readonly Observed[] => {
  const status = memberOf(json, "status");
  return typeof status === "string" ? [{ question, case: "any", answer: status }] : [];
};

const against = (value: Json | undefined, shown: number): string =>
  typeof value !== "number"
    ? "is no number"
    : value === shown
      ? "equals the batches shown"
      : value > shown
        ? "is above the batches shown"
        : "is below the batches shown";

const orderOf = (batches: readonly Json[]): readonly Observed[] => {
  const times = batches
    .map((batch) => memberOf(batch, "created_at"))
    .map((at) => (typeof at === "string" ? Date.parse(at) : Number.NaN))
    .filter((at) => !Number.isNaN(at));
  if (new Set(times).size < 2) return [];
  const rising = times.every((at, i) => i === 0 || at >= (times[i - 1] ?? 0));
  const falling = times.every((at, i) => i === 0 || at <= (times[i - 1] ?? 0));
  return [
    {
      question: "OPEN-17",
      case: "the list",
      answer: rising ? "oldest first" : falling ? "newest first" : "neither by age",
    },
  ];
};

/** Members and headers of a list that could lead to more of it (ruling 29). */
export const cursorsOf = (exchange: Exchange): readonly string[] => {
  const known = new Set(["batches", "count", "total"]);
  const members = isObject(exchange.json) ? Object.keys(exchange.json).filter((name) => !known.has(name)) : [];
  const links = exchange.response.headers
    .map(([name]) => name.toLowerCase())
    .filter((name) => /^link$|page|cursor|next|total-count/.test(name));
  return [...members.map((name) => `member ${name}`), ...links.map((name) => `header ${name}`)].slice(0, 12);
};
