import { requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import { other } from "../../model/mistake.ts";
import type { Finding, RecordedExchange, RequirementResult, Run } from "../../model/run.ts";
import { findingOf, rowOf } from "../../model/testing/rows.ts";
import { concluded, exchange } from "./runs.ts";

const target = { baseUrl: "https://sandbox.fx.example/api" };

/** How often a requirement is broken, what was expected and what came, and at which member. */
type Fault = readonly [count: number, expected: string, actual: string, pointer?: string];

const faults: Readonly<Partial<Record<RequirementId, Fault>>> = {
  "OPER-02": [2, '"pending_quote"', '"created"', "/status"],
  "OPER-06": [4, "16777217", "16777216", "/foreign_currency_amount"],
  "OPER-20": [1, "400", "500"],
  "OPER-24": [1, "400", "500"],
  "HTTP-04": [1, "a status below 500", "500"],
  "ACAM-05": [1, "a status from 400 to 499", "200"],
  "BATCH-31": [1, "a date-time", '"09:00"', "/batches/3/operations/0/created_at"],
  "AUTH-11": [1, "a status from 400 to 499", "200"],
  "BATCH-03": [1, "201", "200"],
};

/** A run against a server with several faults, of which one breaks three requirements. */
export function faultyRun(): Run {
  const run = runWith(faults);
  const requirements = run.requirements.map((row): RequirementResult => {
    if (row.id === "HTTP-07")
      return { ...row, verdict: "skip", skippedBy: "selection", reason: "left out by --exclude" };
    const reason = "POST /batches answered 403: no batches on weekends";
    return ["OPER-16", "BATCH-24", "BATCH-27"].includes(row.id)
      ? { ...row, verdict: "inconclusive", asked: 0, reason }
      : row;
  });
  return concluded({ ...run, requirements, selection: { exclude: ["HTTP-07"] } });
}

/** A run with the same number of findings for every requirement, in all at least `count`. */
export function largeRun(count: number): Run {
  const each = Math.ceil(count / requirementIds.length);
  const fault: Fault = [each, '"pending_quote"', '"created"', "/status"];
  const run = runWith(Object.fromEntries(requirementIds.map((id) => [id, fault])));
  const exchanges = Array.from({ length: 600 }, (_, id) =>
    exchangeOf(id, "OPER-02", `"${"long text ".repeat(1600)}"`),
  );
  return { ...run, exchanges };
}

function runWith(broken: typeof faults): Run {
  const exchanges: RecordedExchange[] = [];
  const requirements = requirementIds.map((id) => {
    const fault = broken[id];
    if (fault === undefined) return rowOf(id, "pass");
    const [count, , actual] = fault;
    exchanges.push(exchangeOf(exchanges.length, id, actual));
    const findings = Array.from({ length: count }, (_, index) =>
      foundAt(id, fault, exchanges.length - 1, index),
    );
    const row = rowOf(id, "fail", { findings });
    return row.level === "MUST" ? row : { ...row, verdict: "warn" as const };
  });
  return concluded({ target, requirements, exchanges });
}

function foundAt(
  id: RequirementId,
  [, expected, actual, pointer]: Fault,
  exchangeId: number,
  index: number,
): Finding {
  const isCrash = actual === "500";
  return findingOf({
    message: `${rowOf(id, "fail").statement.replace(/\.$/, "")}: this one is not, sample ${index}`,
    operation: "createOperation",
    expected,
    actual,
    pointer,
    exchange: exchangeId,
    mistake: isCrash
      ? other("createOperation", "status 400", "status 500")
      : other("createOperation", id, actual),
    ...(isCrash && { intent: "invalid" }),
    replay: `npx fxconform replay fxconform-report/report.json --only ${id}`,
    curl: `curl -X POST ${target.baseUrl}/corporate/operation -H "Authorization: Bearer $TOKEN" -d '{"currency_amount":10.5}'`,
    ...(index % 2 === 0 ? { occurrences: 25 } : { repeated: "2 of 3" }),
  });
}

function exchangeOf(id: number, requirement: RequirementId, actual: string): RecordedExchange {
  const body = `{"operation_id":"op_4410","status":${actual}}`;
  const response = { ...(exchange.response as NonNullable<typeof exchange.response>), body };
  return { ...exchange, id, scenario: requirement, violates: [requirement], response };
}
