import { requirementIds, requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import { operationNames, type OperationName } from "../../spec/operations.ts";
import { questionIds, questions } from "../../spec/questions.ts";
import type { Finding, RecordedExchange, Observation, RequirementResult, Run } from "../../model/run.ts";
import { concluded, exchange, timingOf, type TimingRow } from "./runs.ts";

const origin = "https://sandbox.fx.example/api";

/** A run of the whole catalogue against a correct server. It is always the same for the same catalogue. */
export function soundRun(): Run {
  const sent = sentRows(420);
  return concluded({
    target: { baseUrl: origin },
    requirements: requirementIds.map((id) => resultOf(id, { verdict: "pass" })),
    observations: questionIds.map((id, index) => ({
      id,
      question: questions[id].question,
      answers: index % 5 === 4 ? [] : (answers[index % answers.length] ?? []),
    })),
    ...timingOf(sent),
    requests: sent.length,
    peakInFlight: 8,
    durationMs: 4210,
    exchanges: [],
    created: Array.from({ length: 140 }, (_, index) => ({
      kind: (["counterparty", "operation", "batch", "acam item"] as const)[index % 4] ?? "batch",
      id: `id_${String(index).padStart(4, "0")}`,
    })),
    createdCounts: { counterparty: 35, operation: 35, batch: 35, "acam item": 35 },
  });
}

/** A run against a server with several faults, one of which breaks three requirements. */
export const faultyRun = (): Run =>
  withFindings(
    {
      "OPER-02": { pointer: "/status", expected: '"pending_quote"', actual: '"created"', count: 2 },
      "OPER-06": { pointer: "/foreign_currency_amount", expected: "16777217", actual: "16777216", count: 4 },
      "OPER-20": { ...crash, expected: "400", actual: "500", count: 1 },
      "OPER-24": { ...crash, expected: "400", actual: "500", count: 1 },
      "HTTP-04": { ...crash, expected: "a status below 500", actual: "500", count: 1 },
      "ACAM-05": { expected: "a status from 400 to 499", actual: "200", count: 1 },
      "BATCH-31": {
        pointer: "/batches/3/operations/0/created_at",
        expected: "a date-time with a zone",
        actual: '"2026-03-01 09:00:00"',
        count: 1,
      },
    },
    {
      "AUTH-11": { expected: "a status from 400 to 499", actual: "200", count: 1 },
      "BATCH-03": { expected: "201", actual: "200", count: 1 },
    },
  );

/** A run with findings on every requirement, `count` in all. */
export function largeRun(count: number): Run {
  const each = Math.ceil(count / requirementIds.length);
  const faults = Object.fromEntries(
    requirementIds.map((id) => [
      id,
      { pointer: "/status", expected: '"pending_quote"', actual: '"created"', count: each },
    ]),
  );
  const run = withFindings(faults, {});
  const exchanges = Array.from({ length: 600 }, (_, id) => exchangeOf(id, "OPER-02", `"${"long text ".repeat(1600)}"`));
  return { ...run, exchanges, ...timingOf(sentRows(5000)), observations: run.observations };
}

interface Fault extends Pick<Finding, "expected" | "actual" | "pointer" | "cause"> {
  readonly message?: string;
  readonly count: number;
}

const crash = {
  message: "a body without an amount is answered with 500",
  cause: { expected: "status 400", actual: "status 500" },
};

function withFindings(fails: Partial<Record<RequirementId, Fault>>, warns: Partial<Record<RequirementId, Fault>>): Run {
  const sound = soundRun();
  const exchanges: RecordedExchange[] = [];
  const requirements = requirementIds.map((id): RequirementResult => {
    const fault = fails[id] ?? warns[id];
    if (fault) {
      exchanges.push(exchangeOf(exchanges.length, id, fault.actual));
      const findings = Array.from({ length: fault.count }, (_, index) =>
        findingOf(id, fault, exchanges.length - 1, index),
      );
      return resultOf(id, { verdict: fails[id] ? "fail" : "warn", findings });
    }
    if (["OPER-16", "BATCH-24", "BATCH-27"].includes(id)) {
      return resultOf(id, {
        verdict: "inconclusive",
        asked: 0,
        reason: "POST /batches answered 403: this sandbox takes no batches on weekends",
      });
    }
    if (id === "HTTP-07")
      return resultOf(id, {
        verdict: "skip",
        skippedBy: "selection",
        asked: 0,
        reason: "left out by --only or --exclude",
      });
    return resultOf(id, { verdict: "pass" });
  });
  return concluded({
    ...sound,
    requirements,
    exchanges,
    selection: { exclude: ["HTTP-07"] },
    warnings: ["Nothing listens for plain HTTP at sandbox.fx.example:80."],
  });
}

const resultOf = (id: RequirementId, more: Partial<RequirementResult>): RequirementResult => {
  const { area, level, statement, source } = requirementOf(id);
  return { id, area, level, statement, source, asked: 12, verdict: "pass", tookMs: 30, findings: [], ...more };
};

const findingOf = (id: RequirementId, fault: Fault, exchange: number, index: number): Finding => ({
  message:
    fault.message ??
    `${requirementOf(id).statement.replace(/\.$/, "")}: this one is not${index > 0 ? `, sample ${index}` : ""}`,
  expected: fault.expected,
  actual: fault.actual,
  ...(fault.pointer === undefined ? {} : { pointer: fault.pointer }),
  exchange,
  operation: "createOperation",
  ...(fault.cause === undefined ? {} : { cause: fault.cause, intent: "invalid" }),
  replay: `npx fxconform replay fxconform-report/report.json --only ${id}`,
  curl: `curl -X POST ${origin}/corporate/operation -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"currency_amount":10.5,"operation_purpose":"EFX","currency_pair":"USDBRL","counterparty_id":"cp_91ab"}'`,
  ...(index % 2 === 0 ? { occurrences: 25 } : { repeated: "2 of 3" }),
});

const exchangeOf = (id: number, requirement: RequirementId, actual: string): RecordedExchange => ({
  ...exchange,
  id,
  scenario: requirement,
  violates: [requirement],
  response: {
    ...{ status: 200, statusText: "OK", bodyBytes: 372 },
    headers: [
      ["content-type", "application/json"],
      ["x-request-id", `req-${8800 + id}`],
    ],
    body: `{"operation_id":"op_4410","operation_purpose":"EFX","foreign_currency_amount":16777216,"currency_pair":"USDBRL","status":${actual},"customer_id":"cu_1","counterparty_id":"cp_91ab","intermediary_bank":null,"batch_id":null,"created_at":"2026-03-01T09:00:00Z"}`,
  },
  serverIds: [`req-${8800 + id}`],
});

const members = ["/name", "/external_id", "/bank_account/iban", "/bank_account", "/intermediary_bank", "/tax_id"];

/** Answers to open questions: some with one case, some with many. */
const answers: readonly Observation["answers"][] = [
  [{ case: "any", answer: "201", count: 14 }],
  members.map((member, index) => ({
    case: `without ${member}`,
    answer: index % 3 === 0 ? "refused with 400" : "accepted",
    count: 1,
  })),
  [
    { case: "any", answer: "pending_quote", count: 96 },
    { case: "any", answer: "quoted", count: 3 },
  ],
  [
    { case: "an operation that does not exist", answer: "404", count: 2 },
    { case: "an operation with the purpose IMPORT", answer: "422", count: 2 },
    ...members.map((member) => ({ case: `another type at ${member}`, answer: "400", count: 1 })),
  ],
];

/** The requests of a run: tokens first, then everything at once, bad credentials last. */
function sentRows(count: number): readonly TimingRow[] {
  const random = randomFrom(7);
  return Array.from({ length: count }, (_, index): TimingRow => {
    const part = index / count;
    const operation = part < 0.01 ? "createToken" : (operationNames[Math.floor(random() * 6)] ?? "createToken");
    const slow = part > 0.55 && part < 0.62 ? 6 : 1;
    const took = typical[operation] * slow * Math.exp((random() + random() + random() - 1.5) * 0.9);
    const status =
      slow > 1 && random() < 0.25 ? (random() < 0.3 ? 0 : 503) : part > 0.9 ? 401 : random() < 0.2 ? 400 : 200;
    return [operation, Number(took.toFixed(1)), status];
  });
}

const typical = {
  createToken: 34,
  createCounterparty: 18,
  createOperation: 26,
  addAcamItem: 12,
  createBatch: 40,
  listBatches: 90,
} as const satisfies Record<OperationName, number>;

/** Random numbers by Park and Miller, always the same, so that pictures do not change between runs. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
