import { other, type Violation } from "../mistake.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Evidence } from "./evidence.ts";
import type { Finding } from "../run.ts";
import { unusual } from "../request.ts";
import type { Origin } from "../exchange.ts";
import { createRecorder } from "./recorder.ts";
import type { Proof } from "./findings.ts";
import { createRedaction } from "./redaction.ts";
import { exchangeOf, type ExchangeOverrides } from "../testing/exchanges.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-01-02T03:04:05Z") }));
afterEach(() => void vi.useRealTimers());

const origin: Origin = { id: "create", name: "create" };
const secret = "secret-of-the-client";

function recording() {
  const redaction = createRedaction();
  redaction.add(secret, "API key");
  const recorder = createRecorder({ redaction, replayCommand: "fxconform replay report.json" });
  return { recorder, found: recorder.evidence };
}

function violation(message: string, more: Partial<Violation & Proof> = {}): Violation & Proof {
  return {
    message,
    expected: "this",
    actual: "that",
    mistake: other("", message, "that"),
    ...more,
  };
}

function findingsIn({ judged }: Evidence): readonly Finding[] {
  return [...judged.values()].flatMap(({ findings }) => findings);
}

test("a record says what came back and what was judged, and keeps the exchange that shows it", () => {
  const { recorder, found } = recording();
  const exchange = exchangeOf("createBatch");
  const judgements = [
    { requirement: "BATCH-01" },
    { requirement: "BATCH-03", violation: violation("not 201") },
  ] as const;
  const created = { kind: "batch", id: `b-${secret}` } as const;
  recorder.record(exchange, origin, judgements, { succeeded: true, created });
  recorder.record({ ...exchange, id: 2, scenario: "another" }, origin, [
    { requirement: "BATCH-01" },
  ]);
  const { judged, witness, exchanges, ...evidence } = found();
  expect(evidence).toMatchObject({
    created: [{ kind: "batch", id: "b-[API key]" }],
    createdCounts: { batch: 1 },
    latency: [{ operation: "createBatch", count: 2 }],
  });
  expect(judged.get("BATCH-01")).toMatchObject({
    asked: 2,
    findings: [],
    judgedIn: [exchange.scenario, "another"],
    sample: 1,
  });
  expect(judged.get("BATCH-03")).toMatchObject({
    asked: 1,
    findings: [
      {
        message: "not 201",
        exchange: 1,
        operation: "createBatch",
        replay: "fxconform replay report.json --only BATCH-03",
      },
    ],
  });
  expect([...(witness?.mistakes.values() ?? [])]).toEqual([
    { mistake: other("", "not 201", "that"), responses: new Set([1]) },
  ]);
  expect(witness?.judged.get("BATCH-01")).toEqual([1, 2]);
  expect(exchanges.map(({ violates }) => violates)).toEqual([["BATCH-03"], []]);
});

describe("findings", () => {
  test("of one requirement are at most sixteen, all counted", () => {
    const { recorder, found } = recording();
    for (let i = 0; i < 40; i += 1) recorder.violated("OPER-02", origin, violation(`m${i}`));
    recorder.violated("OPER-03", origin, violation("m"));
    expect(findingsIn(found()).map(({ message }) => message)).toEqual([
      ...Array.from({ length: 16 }, (_, i) => `m${i}`),
      "m",
    ]);
    expect(found().judged.get("OPER-02")?.asked).toBe(40);
  });

  test("show the simplest request that was sent, and keep its exchange", () => {
    const { recorder, found } = recording();
    const sent: readonly [id: number, path: string, more?: ExchangeOverrides][] = [
      [1, "a".repeat(20)],
      [2, "b", { intent: unusual("short") }],
      ...[3, 4, 5, 6, 7, 8].map((id): [number, string] => [id, "c".repeat(20)]),
      [9, "d".repeat(10)],
    ];
    for (const [id, path, more] of sent) {
      const { request, ...exchange } = { ...exchangeOf("createBatch", more), id };
      const url = `https://fx.example/${path}`;
      recorder.violated("BATCH-03", origin, {
        ...violation("no"),
        exchange: { ...exchange, request: { ...request, url } },
      });
    }
    const [finding, ...others] = findingsIn(found());
    expect([finding?.exchange, finding?.occurrences, others.length]).toEqual([9, sent.length, 0]);
    expect(found().exchanges.map(({ id }) => id)).toEqual([1, 9]);
  });

  test("of a crash that the request alone did not cause say so", () => {
    const { recorder, found } = recording();
    const mistake = {
      kind: "crash",
      of: "",
      expected: "a status below 500",
      actual: "500",
    } as const;
    const crash = violation("crash", { actual: "status 500", mistake });
    recorder.violated("HTTP-04", origin, { ...crash, exchange: exchangeOf("createBatch") });
    const [crashed] = recorder.repeatable();
    if (crashed === undefined) throw new Error("nothing can be repeated");
    recorder.repeated(crashed, { text: "1 of 3", alone: 200 });
    const actual = "status 500; sent alone, the same request was answered with 200";
    expect(findingsIn(found())).toMatchObject([{ repeated: "1 of 3", occurrences: 1, actual }]);
    recorder.repeated(crashed, { text: "3 of 3" });
    recorder.repeated({ key: "unknown" }, { text: "3 of 3" });
    expect(findingsIn(found())).toMatchObject([{ repeated: "3 of 3", actual: "status 500" }]);
  });

  test("are cut after redaction", () => {
    const { recorder, found } = recording();
    const actual = `${"x".repeat(590)}${secret}${"y".repeat(50)}`;
    recorder.violated("HTTP-04", origin, violation("crash", { actual }));
    expect(findingsIn(found())[0]?.actual).toBe(`${"x".repeat(590)}[API key]y…`);
  });
});

test("an exchange that is kept names the ids by which an implementer finds it in a log", () => {
  const { recorder, found } = recording();
  const ids = [
    ["X-Request-Id", "r-1"],
    ["request-id", "r-2"],
    ["X-Correlation-ID", "r-3"],
    ["traceparent", "r-4"],
    ["CF-Ray", "r-5"],
    ["X-Amzn-Trace-Id", "r-6"],
  ] as const;
  const headers = [...ids, ["X-Request-Id-Not", "no"], ["Server", "no"]] as const;
  recorder.record(exchangeOf("createToken", { headers, at: 3.4 }), origin, []);
  expect(found().exchanges).toMatchObject([
    { startedAt: "2026-01-02T03:04:05.003Z", at: 3, waited: 1, took: 2 },
  ]);
  expect(found().exchanges[0]?.serverIds).toEqual(ids.map((field) => field.join(": ")));
});

const long = "x".repeat(100_000);

test("what is kept of an exchange has bounds, and shows no secret", () => {
  const { recorder, found } = recording();
  const headers = [
    [`X-${secret}`, `${"v".repeat(2040)}${secret}${long}`],
    ["X-Request-Id", `${secret}${long}`],
    ...Array.from({ length: 100 }, (_, i) => [`X-${i}`, "v"] as const),
  ] as const;
  const body = `${"z".repeat(16_380)}${secret}${long}`;
  const own = { path: `/${secret}`, intent: unusual(secret), sent: { secret } };
  const exchange = exchangeOf("createToken", { headers, body, ...own });
  recorder.record(
    { ...exchange, response: { ...exchange.response, statusText: secret + long } },
    origin,
    [],
  );
  const [kept] = found().exchanges;
  expect(kept?.intent).toBe("unusual: [API key]");
  expect(kept?.request).toMatchObject({
    url: "https://fx.example/[API key]",
    body: '{"secret":"[API key]"}',
    bodyBytes: 33,
  });
  expect(kept?.response?.body).toBe(`${"z".repeat(16_380)}[API…`);
  expect(kept?.response?.bodyBytes).toBe(body.length);
  expect(kept?.response?.statusText).toHaveLength(200);
  expect(kept?.response?.headers).toHaveLength(60);
  expect(kept?.response?.headers[1]).toEqual(["X-[API key]", `${"v".repeat(2040)}[API key`]);
  expect(kept?.serverIds?.[0]).toBe(`X-Request-Id: [API key]${"x".repeat(191)}`);
  expect(JSON.stringify(kept)).not.toContain(secret);
});

test("answers to open questions have bounds, beyond which the known ones go on being counted, and a warning says so once", () => {
  const { recorder, found } = recording();
  for (let n = 0; n < 1200; n += 1) recorder.observe("OPEN-01", "any", `s${n}`);
  recorder.observe("OPEN-01", "any", "s0");
  const { observations, warnings } = found();
  expect(observations[0]?.answers).toHaveLength(1000);
  expect(observations[0]?.answers[0]).toEqual({ case: "any", answer: "s0", count: 2 });
  expect(warnings).toEqual(["OPEN-01: more different answers were observed than a report holds."]);
});

test("what was created is bounded, and its counts are whole; what has no usable id is listed nowhere", () => {
  const { recorder, found } = recording();
  const exchange = exchangeOf("createBatch");
  for (let id = 0; id < 1100; id += 1)
    recorder.record({ ...exchange, id }, origin, [], {
      created: { kind: "batch", ...(id !== 5 && { id: `${id}` }) },
    });
  const { created, createdCounts, createdWithoutId, latency } = found();
  expect([created.length, createdCounts, createdWithoutId]).toEqual([1000, { batch: 1100 }, 1]);
  expect(created[5]).toEqual({ kind: "batch", id: "6" });
  expect(latency[0]?.count).toBe(1100);
});

test("reasons why there is no verdict are bounded, but for those that cut a check short", () => {
  const { recorder, found } = recording();
  for (let n = 0; n < 9; n += 1) recorder.inconclusive("OPER-02", `reason ${n}`);
  recorder.inconclusive("OPER-02", "cut", { cutShort: true });
  recorder.inconclusive("OPER-02", "no second pair", { gap: "second pair" });
  const reasons = found()
    .judged.get("OPER-02")
    ?.inconclusive.map(({ reason }) => reason);
  expect(reasons).toEqual([...[0, 1, 2, 3, 4].map((n) => `reason ${n}`), "cut", "no second pair"]);
  expect(recorder.isBroken("OPER-02")).toBe(false);
});
