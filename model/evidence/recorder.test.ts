import { other } from "../mistake.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Message } from "./messages.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Finding, RecordedExchange } from "../run.ts";
import { invalid, unusual } from "../request.ts";
import { inputKinds, type InputKind } from "../../spec/refusals.ts";
import type { Origin } from "../exchange.ts";
import type { Violation } from "../judgement.ts";
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
  const messages: Message[] = [];
  const emit = (message: Message): void => void messages.push(message);
  const recorder = createRecorder({
    emit,
    redaction,
    replayCommand: "fxconform replay report.json",
  });
  return { recorder, emitted: () => messages };
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

function findingsIn(evidence: readonly Message[]): readonly Finding[] {
  return evidence.flatMap((one) => (one.type === "judgement" ? (one.broken?.finding ?? []) : []));
}
function exchangesIn(evidence: readonly Message[]): readonly RecordedExchange[] {
  return evidence.flatMap((one) => (one.type === "exchange" ? (one.kept ?? []) : []));
}

test("a record says what came back and what was judged, and keeps the exchange that shows it", () => {
  const { recorder, emitted } = recording();
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
  const evidence = emitted();
  expect(evidence.filter((one) => one.type !== "exchange" || one.counted !== undefined)).toEqual([
    {
      type: "exchange",
      counted: {
        operation: "createBatch",
        took: 2,
        succeeded: true,
        created: { kind: "batch", id: "b-[API key]" },
        facts: expect.objectContaining({ id: 1, operation: "createBatch" }),
      },
    },
    {
      type: "judgement",
      broken: {
        requirement: "BATCH-03",
        key: "BATCH-03 createBatch not 201",
        mistake: '["other","","not 201","that"]',
        finding: expect.objectContaining({
          message: "not 201",
          exchange: 1,
          operation: "createBatch",
          occurrences: 1,
          replay: "fxconform replay report.json --only BATCH-03",
        }),
      },
      judged: 1,
    },
    { type: "judgement", holds: ["BATCH-01"], scenario: exchange.scenario, exchange: 1, judged: 1 },
    {
      type: "exchange",
      counted: { operation: "createBatch", took: 2, facts: expect.objectContaining({ id: 2 }) },
    },
    { type: "judgement", holds: ["BATCH-01"], scenario: "another", judged: 2 },
  ]);
  expect(exchangesIn(evidence).map(({ id, violates }) => [id, violates])).toEqual([
    [1, ["BATCH-03"]],
    [1, []],
    [2, []],
  ]);
});

describe("findings", () => {
  test("of one requirement are at most sixteen, all counted", () => {
    const { recorder, emitted } = recording();
    for (let i = 0; i < 40; i += 1) recorder.violated("OPER-02", origin, violation(`m${i}`));
    recorder.violated("OPER-03", origin, violation("m"));
    const evidence = emitted();
    expect(findingsIn(evidence).map(({ message }) => message)).toEqual([
      ...Array.from({ length: 16 }, (_, i) => `m${i}`),
      "m",
    ]);
    const judged = evidence.filter(
      (one) => one.type === "judgement" && one.broken?.requirement === "OPER-02",
    );
    expect(judged).toHaveLength(40);
    // No new key is remembered, however long a hostile server goes on.
    expect(judged.at(-1)).toEqual({ type: "judgement", broken: { requirement: "OPER-02" } });
  });

  test("show the simplest request that was sent, and keep its exchange", () => {
    const { recorder, emitted } = recording();
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
    const evidence = emitted();
    expect(findingsIn(evidence).map(({ exchange }) => exchange)).toEqual([1, 9]);
    expect(exchangesIn(evidence).map(({ id }) => id)).toEqual([1, 9]);
  });

  test("with the same body in another form are one, unless it is about credentials", () => {
    const messagesOf = (input: InputKind): readonly string[] => {
      const { recorder, emitted } = recording();
      const intent = invalid("with something wrong", input);
      const exchange = exchangeOf("createOperation", { sent: {}, intent });
      const other = exchangeOf("createOperation", { sent: { a: 1 }, intent });
      const seen = [
        { ...violation("without members"), exchange },
        { ...violation("with members in the query"), exchange: { ...exchange, id: 2 } },
        { ...violation("with another member"), exchange: other },
        { ...violation("with another status", { actual: "status 500" }), exchange },
      ];
      for (const one of seen) recorder.violated("OPER-20", origin, one);
      return findingsIn(emitted()).map(({ message }) => message);
    };
    expect(messagesOf(inputKinds.omit)).toEqual([
      "without members",
      "with another member",
      "with another status",
    ]);
    expect(messagesOf(inputKinds.credentials)).toHaveLength(4);
  });

  test("of a crash that the request alone did not cause say so", () => {
    const { recorder, emitted } = recording();
    const mistake = {
      kind: "crash",
      of: "",
      expected: "a status below 500",
      actual: "500",
    } as const;
    const crash = violation("crash", { actual: "status 500", mistake });
    recorder.violated("HTTP-04", origin, { ...crash, exchange: exchangeOf("createBatch") });
    const [found] = recorder.repeatable();
    if (found === undefined) throw new Error("nothing can be repeated");
    recorder.repeated(found, { text: "1 of 3", alone: 200 });
    recorder.repeated(found, { text: "3 of 3" });
    recorder.repeated({ ...found, key: "unknown" }, { text: "3 of 3" });
    expect(findingsIn(emitted())).toEqual([
      expect.not.objectContaining({ repeated: expect.anything() }),
      expect.objectContaining({
        repeated: "1 of 3",
        actual: "status 500; sent alone, the same request was answered with 200",
      }),
      expect.objectContaining({ repeated: "3 of 3", actual: "status 500", mistake }),
    ]);
  });

  test("are cut after redaction", () => {
    const { recorder, emitted } = recording();
    const actual = `${"x".repeat(590)}${secret}${"y".repeat(50)}`;
    recorder.violated("HTTP-04", origin, violation("crash", { actual }));
    expect(findingsIn(emitted())[0]?.actual).toBe(`${"x".repeat(590)}[API key]y…`);
  });
});

describe("exchanges that are kept", () => {
  const record = (exchanges: readonly ExchangeOverrides[], ids: readonly RequirementId[] = []) => {
    const { recorder, emitted: evidence } = recording();
    exchanges.forEach((one, i) =>
      recorder.record(
        exchangeOf("createOperation", { id: i, ...one }),
        origin,
        ids.map((id) => ({ requirement: id, violation: violation(`m${i}`) })),
      ),
    );
    return exchangesIn(evidence()).map(({ id }) => id);
  };

  test("are those of the findings that are kept", () => {
    const twenty = Array.from({ length: 20 }, () => ({}));
    expect(record(twenty, ["OPER-02"])).toEqual(Array.from({ length: 16 }, (_, n) => n));
    expect(record([{}, {}], ["OPER-02", "OPER-03"])).toEqual([0, 0, 1, 1]);
  });

  test("keep what an implementer looks for in a log", () => {
    const { recorder, emitted } = recording();
    const headers = [
      ["X-Request-Id", "r-1"],
      ["request-id", "r-2"],
      ["X-Correlation-ID", "r-3"],
      ["traceparent", "r-4"],
      ["CF-Ray", "r-5"],
      ["X-Amzn-Trace-Id", "r-6"],
      ["X-Request-Id-Not", "no"],
      ["Server", "no"],
    ] as const;
    recorder.record(exchangeOf("createToken", { headers, at: 3.4 }), origin, []);
    expect(exchangesIn(emitted())).toEqual([
      {
        id: 1,
        operation: "createToken",
        scenario: "create",
        violates: [],
        intent: "valid",
        startedAt: "2026-01-02T03:04:05.003Z",
        at: 3,
        waited: 1,
        took: 2,
        request: {
          method: "POST",
          url: "https://fx.example/auth/token",
          headers: [["Accept", "application/json"]],
          bodyBytes: 0,
        },
        response: {
          status: 200,
          statusText: "",
          headers: [["Content-Type", "application/json"], ...headers],
          body: '{"token":"abc.def"}',
          bodyBytes: 19,
        },
        serverIds: headers.slice(0, 6).map((field) => field.join(": ")),
      },
    ]);
  });
});

describe("bounds and secrets", () => {
  const long = "x".repeat(100_000);

  test("of an exchange", () => {
    const { recorder, emitted } = recording();
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
    const [kept] = exchangesIn(emitted());
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
});

test("observations are redacted before they are cut", () => {
  const { recorder, emitted } = recording();
  recorder.observe("OPEN-01", "any", `${"a".repeat(190)}${secret}`);
  expect(emitted()).toMatchObject([{ answer: `${"a".repeat(190)}[API key]` }]);
});
