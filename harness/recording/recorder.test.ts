import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Evidence, FoundViolation, RecordedExchange } from "../../model/evidence.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { inputKindOf } from "../../spec/refusals.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { CauseClass } from "../../model/run.ts";
import { broken, holds } from "../judging/rules/rule.ts";
import { invalid, unusual, type Origin } from "../../model/exchange.ts";
import type { Violation } from "../../model/finding.ts";
import { createRecorder, type Proof } from "./recorder.ts";
import { createRedaction } from "./redaction.ts";
import { exchangeOf, type ExchangeOverrides } from "../../model/testing/exchanges.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-01-02T03:04:05Z") }));
afterEach(() => void vi.useRealTimers());

const origin: Origin = { id: "create", name: "create" };
const secret = "secret-of-the-client";

const recording = () => {
  const redaction = createRedaction();
  redaction.add(secret, "API key");
  const batches: (readonly Evidence[])[] = [];
  const recorder = createRecorder((evidence) => void batches.push(evidence), redaction);
  const emitted = (): readonly Evidence[] => {
    recorder.flush();
    return batches.flat();
  };
  return { recorder, batches, emitted };
};

const violation = (message: string, more: Partial<Violation & Proof> = {}): Violation & Proof => ({
  message,
  expected: "this",
  actual: "that",
  ...more,
});

const findingsIn = (evidence: readonly Evidence[]): readonly FoundViolation[] =>
  evidence.flatMap((one) => (one.type === "violated" && one.finding ? [one.finding] : []));
const exchangesIn = (evidence: readonly Evidence[]): readonly RecordedExchange[] =>
  evidence.flatMap((one) => (one.type === "exchange" ? [one.exchange] : []));

test("evidence goes out in batches, 50 ms after the first, at once when flushed, and not at all if there is none", () => {
  const { recorder, batches } = recording();
  const held = { type: "held", requirements: ["OPER-01"] };
  recorder.holds(["OPER-01"]);
  recorder.observe("OPEN-01", "any", "x");
  vi.advanceTimersByTime(49);
  recorder.holds(["OPER-01"]);
  expect(batches).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([[held, { type: "answer", question: "OPEN-01", case: "any", answer: "x" }, held]]);
  recorder.flush();
  recorder.holds(["OPER-01"]);
  recorder.flush();
  expect(batches.slice(1)).toEqual([[held]]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a record says what came back and what was judged, and keeps the exchange that shows it", () => {
  const { recorder, emitted } = recording();
  const exchange = exchangeOf("createBatch");
  const judgements = [holds("BATCH-01"), broken("BATCH-03", violation("not 201"))];
  const created = { kind: "batch", id: `b-${secret}` } as const;
  recorder.record(exchange, origin, judgements, { succeeded: true, created });
  recorder.record({ ...exchange, id: 2, scenario: "another" }, origin, [holds("BATCH-01")]);
  const evidence = emitted();
  expect(evidence.filter(({ type }) => type !== "exchange")).toEqual([
    {
      ...{ type: "response", operation: "createBatch", status: 201, took: 2, succeeded: true },
      created: { kind: "batch", id: "b-[API key]" },
    },
    {
      ...{ type: "violated", requirement: "BATCH-03", key: "BATCH-03 createBatch not 201" },
      finding: expect.objectContaining({ message: "not 201", exchange: 1, operation: "createBatch" }),
    },
    { type: "held", requirements: ["BATCH-01"], scenario: exchange.scenario, exchange: 1 },
    { type: "response", operation: "createBatch", status: 201, took: 2 },
    { type: "held", requirements: ["BATCH-01"], scenario: "another" },
  ]);
  expect(exchangesIn(evidence).map(({ id, violates }) => [id, violates])).toEqual([
    [1, ["BATCH-03"]],
    [1, []],
    [2, []],
  ]);
});

describe("findings", () => {
  test("have their texts once, and their key each time", () => {
    const { recorder, emitted } = recording();
    for (let i = 0; i < 3; i += 1) recorder.violated("OPER-02", origin, violation("not pending"));
    const judgement = { type: "violated", requirement: "OPER-02", key: "OPER-02  not pending" };
    const finding = { ...violation("not pending"), scenario: origin.id, curl: "" };
    expect(emitted()).toEqual([{ ...judgement, finding }, judgement, judgement]);
  });

  test("of different operations are different", () => {
    const { recorder, emitted } = recording();
    recorder.violated("HTTP-05", origin, violation("no response", { operation: "createToken" }));
    recorder.violated("HTTP-05", origin, violation("no response", { operation: "createBatch" }));
    expect(findingsIn(emitted()).map(({ operation }) => operation)).toEqual(["createToken", "createBatch"]);
  });

  test("carry all that shows them", () => {
    const { recorder, emitted } = recording();
    const exchange = exchangeOf("createOperation", { id: 7, sent: { n: 1 } });
    recorder.violated("OPER-02", origin, violation("m", { exchange, pointer: "/status", repeated: "2 of 3" }));
    expect(findingsIn(emitted())).toEqual([
      {
        ...{ scenario: origin.id, intent: "valid" },
        ...violation("m", { pointer: "/status", repeated: "2 of 3" }),
        curl: expect.stringMatching(/^curl .*'https:\/\/fx\.example\/corporate\/operation' .*--data-raw '\{"n":1\}'$/),
        exchange: 7,
        operation: "createOperation",
      },
    ]);
  });

  test("without a response carry the request", () => {
    const { recorder, emitted } = recording();
    const { request } = exchangeOf("createToken");
    recorder.violated("HTTP-05", origin, violation("m", { operation: "createToken", request }));
    expect(findingsIn(emitted())[0]?.curl).toContain("https://fx.example/auth/token");
    expect(exchangesIn(emitted())).toEqual([]);
  });

  test("of one requirement are at most sixteen, all counted", () => {
    const { recorder, emitted } = recording();
    for (let i = 0; i < 40; i += 1) recorder.violated("OPER-02", origin, violation(`m${i}`));
    recorder.violated("OPER-03", origin, violation("m"));
    const evidence = emitted();
    expect(findingsIn(evidence).map(({ message }) => message)).toEqual([
      ...Array.from({ length: 16 }, (_, i) => `m${i}`),
      "m",
    ]);
    const judged = evidence.filter((one) => one.type === "violated" && one.requirement === "OPER-02");
    expect(judged).toHaveLength(40);
    // However long a hostile server goes on, no new key is remembered.
    expect(judged.at(-1)).toEqual({ type: "violated", requirement: "OPER-02" });
  });

  test("with one cause are at most four, so that another mistake finds room", () => {
    const { recorder, emitted } = recording();
    const cause = { expected: "status 400", actual: "status 422" };
    for (let i = 0; i < 40; i += 1) recorder.violated("OPER-02", origin, violation(`m${i}`, { cause }));
    recorder.violated("OPER-02", origin, violation("other", { cause: { ...cause, actual: "status 200" } }));
    recorder.violated("OPER-02", origin, violation("elsewhere", { cause, operation: "createBatch" }));
    const found = findingsIn(emitted());
    expect(found.map(({ message }) => message)).toEqual(["m0", "m1", "m2", "m3", "other", "elsewhere"]);
    expect(found.find(({ message }) => message === "other")?.cause).toEqual({
      expected: "status 400",
      actual: "status 200",
    });
  });

  test("keep the first of each operation and cause, with its exchange, beyond the bound", () => {
    const { recorder, emitted } = recording();
    const html = { expected: "Content-Type: application/json", actual: "Content-Type: text/html" };
    const see = (operation: OperationName, id: number, cause: CauseClass) =>
      recorder.violated("HTTP-01", origin, violation(`m${id}`, { cause, exchange: exchangeOf(operation, { id }) }));
    for (let id = 1; id <= 200; id += 1) see("createOperation", id, { ...html, actual: `type ${id % 50}` });
    see("listBatches", 201, html);
    see("listBatches", 202, html);
    const evidence = emitted();
    expect(findingsIn(evidence).map(({ exchange }) => exchange)).toEqual([
      ...Array.from({ length: 16 }, (_, index) => index + 1),
      201,
    ]);
    expect(exchangesIn(evidence).map(({ id }) => id)).toContain(201);
  });

  test("say what was wrong with requests that were not refused, and each kind of them is a cause", () => {
    const { recorder, emitted } = recording();
    const cause = { expected: "status 400", actual: "status 200" };
    const see = (id: RequirementId, message: string, status = 200) => {
      const intent = invalid(message, inputKindOf(id));
      const exchange = exchangeOf("createOperation", { status, json: {}, intent });
      recorder.violated(id, origin, violation(message, { cause, exchange }));
    };
    see("OPER-24", "null");
    see("OPER-25", "another null");
    see("OPER-34", "NaN");
    see("AUTH-21", "a made-up token");
    see("OPER-26", "null", 422);
    expect(findingsIn(emitted()).map((finding) => finding.cause?.input)).toEqual([
      "with null for a member",
      "with null for a member",
      "with malformed JSON",
      "with bad credentials",
      undefined,
    ]);
  });

  test("are cut after redaction", () => {
    const { recorder, emitted } = recording();
    const actual = `${"x".repeat(590)}${secret}${"y".repeat(50)}`;
    recorder.violated("HTTP-04", origin, violation("crash", { actual }));
    expect(findingsIn(emitted())[0]?.actual).toBe(`${"x".repeat(590)}[API key]y…`);
  });

  test("the smallest example is reported though its cause is known", () => {
    const { recorder, emitted } = recording();
    const large = exchangeOf("createOperation", { id: 1 });
    const small = exchangeOf("createOperation", { id: 2 });
    recorder.violated("OPER-02", origin, violation("m", { exchange: large }));
    recorder.violated("OPER-02", origin, violation("m", { exchange: small, smallest: true }));
    const evidence = emitted();
    expect(findingsIn(evidence).map(({ exchange }) => exchange)).toEqual([1, 2]);
    expect(exchangesIn(evidence).map(({ id }) => id)).toEqual([1, 2]);
    expect(recorder.repeatable().map(({ exchange }) => exchange.id)).toEqual([2]);
  });

  test("the smallest example of a cause beyond the bound is not reported", () => {
    const { recorder, emitted } = recording();
    for (let i = 0; i < 40; i += 1) recorder.violated("OPER-02", origin, violation(`m${i}`));
    recorder.violated("OPER-02", origin, violation("m39", { smallest: true }));
    recorder.violated("OPER-02", origin, violation("m7", { smallest: true }));
    expect(findingsIn(emitted()).map(({ message }) => message)).toEqual([
      ...Array.from({ length: 16 }, (_, i) => `m${i}`),
      "m7",
    ]);
  });

  test("that an exchange shows can be sent again", () => {
    const { recorder } = recording();
    const exchange = exchangeOf("createOperation");
    const again = () => true;
    recorder.violated("OPER-02", origin, violation("m", { exchange }));
    recorder.violated("OPER-03", origin, violation("m", { exchange, again }));
    recorder.violated("OPER-04", origin, violation("m"));
    expect(recorder.repeatable()).toEqual([
      { key: "OPER-02 createOperation m", requirement: "OPER-02", exchange, origin },
      { key: "OPER-03 createOperation m", requirement: "OPER-03", exchange, origin, again },
    ]);
  });
});

describe("exchanges that are kept", () => {
  const record = (exchanges: readonly ExchangeOverrides[], ids: readonly RequirementId[] = []) => {
    const { recorder, emitted: evidence } = recording();
    exchanges.forEach((one, i) =>
      recorder.record(
        exchangeOf("createOperation", { id: i, ...one }),
        origin,
        ids.map((id) => broken(id, violation(`m${i}`))),
      ),
    );
    return exchangesIn(evidence()).map(({ id }) => id);
  };

  test("are four for each requirement that they show broken", () => {
    const nine = Array.from({ length: 9 }, () => ({}));
    expect(record(nine, ["OPER-02"])).toEqual([0, 1, 2, 3]);
    expect(record([{}, {}], ["OPER-02", "OPER-03"])).toEqual([0, 0, 1, 1]);
  });

  test("are three samples of each kind of the rest", () => {
    const many = (overrides: ExchangeOverrides) => Array.from({ length: 5 }, () => overrides);
    expect(record(many({}))).toEqual([0, 1, 2]);
    expect(record([...many({}), ...many({ status: 404 }), ...many({ intent: unusual("x") })])).toEqual([
      0, 1, 2, 5, 6, 7, 10, 11, 12,
    ]);
    expect(record([{ status: 400 }, { status: 401 }, { status: 422 }, { status: 499 }, { status: 500 }])).toEqual([
      0, 1, 2, 4,
    ]);
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
        ...{ id: 1, operation: "createToken", scenario: "create", violates: [], intent: "valid" },
        ...{ startedAt: "2026-01-02T03:04:05.003Z", at: 3, waited: 1, took: 2 },
        request: {
          ...{ method: "POST", url: "https://fx.example/auth/token" },
          ...{ headers: [["Accept", "application/json"]], bodyBytes: 0 },
        },
        response: {
          ...{ status: 200, statusText: "", headers: [["Content-Type", "application/json"], ...headers] },
          ...{ body: '{"token":"abc.def"}', bodyBytes: 19 },
        },
        serverIds: headers.slice(0, 6).map((field) => field.join(": ")),
      },
    ]);
  });
});

describe("bounds and secrets", () => {
  const long = "x".repeat(100_000);

  test("of a finding", () => {
    const { recorder, emitted } = recording();
    const text = `${"y".repeat(590)}${secret}${long}`;
    recorder.violated("OPER-02", origin, { message: text, expected: text, actual: text, pointer: `/${secret}` });
    const [finding] = findingsIn(emitted());
    for (const value of [finding?.message, finding?.expected, finding?.actual]) {
      expect(value).toBe(`${"y".repeat(590)}[API key]x…`);
    }
    expect(finding?.pointer).toBe("/[API key]");
  });

  test("of a reason", () => {
    const { recorder, emitted } = recording();
    recorder.inconclusive("OPER-02", `${secret} ${long}`);
    recorder.inconclusive("OPER-03", "cut", true);
    expect(emitted()).toEqual([
      { type: "inconclusive", requirement: "OPER-02", reason: `[API key] ${"x".repeat(590)}…`, cutShort: false },
      { type: "inconclusive", requirement: "OPER-03", reason: "cut", cutShort: true },
    ]);
  });

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
    recorder.record({ ...exchange, response: { ...exchange.response, statusText: secret + long } }, origin, []);
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

  test("a body of many megabytes is cut, lone surrogates are made whole", () => {
    const { recorder, emitted } = recording();
    recorder.record(exchangeOf("createToken", { body: "x".repeat(5_000_000) }), origin, []);
    recorder.inconclusive("OPER-02", "a\ud800b");
    const evidence = emitted();
    expect(exchangesIn(evidence)[0]?.response?.body).toBe(`${"x".repeat(16_384)}…`);
    expect(evidence).toContainEqual(expect.objectContaining({ reason: "a\ufffdb" }));
  });
});

test("observations are redacted before they are cut", () => {
  const { recorder, emitted } = recording();
  recorder.observe("OPEN-01", "any", `${"a".repeat(190)}${secret}`);
  expect(emitted()).toMatchObject([{ answer: `${"a".repeat(190)}[API key]` }]);
});
