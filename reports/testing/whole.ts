import { requirementIds, requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import { operationNames } from "../../spec/operations.ts";
import { questionIds, questions } from "../../spec/questions.ts";
import { other } from "../../model/mistake.ts";
import type { Finding, RecordedExchange, RequirementResult, Run } from "../../model/run.ts";
import { concluded, exchange, timingOf, type TimingRow } from "./runs.ts";

const origin = "https://sandbox.fx.example/api";

type Fault = Pick<Finding, "expected" | "actual" | "pointer"> &
  Partial<Pick<Finding, "mistake">> & {
    readonly count: number;
  };

/**
 * A run of the whole catalogue against a correct server. It is always the same for the same
 * catalogue.
 */
export const soundRun = (): Run => runWith({});

/** A run against a server with several faults, of which one breaks three requirements. */
export function faultyRun(): Run {
  const crash = {
    mistake: other("createOperation", "status 400", "status 500"),
    expected: "400",
    actual: "500",
    count: 1,
  };
  const run = runWith({
    "OPER-02": { pointer: "/status", expected: '"pending_quote"', actual: '"created"', count: 2 },
    "OPER-06": {
      pointer: "/foreign_currency_amount",
      expected: "16777217",
      actual: "16777216",
      count: 4,
    },
    "OPER-20": crash,
    "OPER-24": crash,
    "HTTP-04": { ...crash, expected: "a status below 500" },
    "ACAM-05": { expected: "a status from 400 to 499", actual: "200", count: 1 },
    "BATCH-31": {
      pointer: "/batches/3/operations/0/created_at",
      expected: "a date-time",
      actual: '"09:00"',
      count: 1,
    },
    "AUTH-11": { expected: "a status from 400 to 499", actual: "200", count: 1 },
    "BATCH-03": { expected: "201", actual: "200", count: 1 },
  });
  const requirements = run.requirements.map((row): RequirementResult => {
    if (row.id === "HTTP-07")
      return { ...row, verdict: "skip", skippedBy: "selection", reason: "left out by --exclude" };
    return ["OPER-16", "BATCH-24", "BATCH-27"].includes(row.id)
      ? {
          ...row,
          verdict: "inconclusive",
          asked: 0,
          reason: "POST /batches answered 403: no batches on weekends",
        }
      : row;
  });
  return concluded({ ...run, requirements, selection: { exclude: ["HTTP-07"] } });
}

/** A run with the same number of findings for every requirement, in all at least `count`. */
export function largeRun(count: number): Run {
  const each = Math.ceil(count / requirementIds.length);
  const fault: Fault = {
    pointer: "/status",
    expected: '"pending_quote"',
    actual: '"created"',
    count: each,
  };
  const run = runWith(Object.fromEntries(requirementIds.map((id) => [id, fault])));
  const exchanges = Array.from({ length: 600 }, (_, id) =>
    exchangeOf(id, "OPER-02", `"${"long text ".repeat(1600)}"`),
  );
  return { ...run, exchanges };
}

function runWith(faults: Partial<Record<RequirementId, Fault>>): Run {
  const exchanges: RecordedExchange[] = [];
  const requirements = requirementIds.map((id): RequirementResult => {
    const { area, level, statement, source } = requirementOf(id);
    const row = { id, area, level, statement, source, asked: 12, tookMs: 30 };
    const fault = faults[id];
    if (fault === undefined) return { ...row, verdict: "pass", findings: [] };
    const { count, ...shown } = fault;
    exchanges.push(exchangeOf(exchanges.length, id, shown.actual));
    const findings = Array.from({ length: count }, (_, n) =>
      findingOf(id, shown, exchanges.length - 1, n),
    );
    return { ...row, verdict: level === "MUST" ? "fail" : "warn", findings };
  });
  const sent = operationNames.map((operation): TimingRow => [operation, 10, 200]);
  const observations = questionIds.map((id, index) => ({
    id,
    question: questions[id].question,
    answers: [{ case: "any", answer: `40${index % 2}`, count: 1 }],
  }));
  const target = { baseUrl: origin };
  return concluded({ target, requirements, observations, exchanges, ...timingOf(sent) });
}

function findingOf(
  id: RequirementId,
  fault: Omit<Fault, "count">,
  exchange: number,
  index: number,
): Finding {
  return {
    ...fault,
    exchange,
    operation: "createOperation",
    mistake: fault.mistake ?? other("createOperation", id, fault.actual),
    ...(fault.mistake && { intent: "invalid" }),
    message: `${requirementOf(id).statement.replace(/\.$/, "")}: this one is not, sample ${index}`,
    replay: `npx fxconform replay fxconform-report/report.json --only ${id}`,
    curl: `curl -X POST ${origin}/corporate/operation -H "Authorization: Bearer $TOKEN" -d '{"currency_amount":10.5}'`,
    ...(index % 2 === 0 ? { occurrences: 25 } : { repeated: "2 of 3" }),
  };
}

function exchangeOf(id: number, requirement: RequirementId, actual: string): RecordedExchange {
  const body = `{"operation_id":"op_4410","status":${actual}}`;
  const response = { ...(exchange.response as NonNullable<typeof exchange.response>), body };
  return { ...exchange, id, scenario: requirement, violates: [requirement], response };
}
