import { describe, expect, test } from "vitest";
import { type Fields, type RequestSpec, invalid, valid } from "../../model/request.ts";
import { settings, target } from "../../model/testing/target.ts";
import {
  createBounds,
  httpRequestOf,
  isBadCredential,
  isThrottling,
  mostRequests,
  waitOf,
} from "./attempt.ts";
import { responseOf } from "../../model/testing/exchanges.ts";
import { create, list, token } from "../testing/sender.ts";
import { fieldOf } from "../../model/exchange.ts";
import { ownHeaders, type Target } from "../../model/target.ts";

const bad = invalid("with a bad credential");

test.each<[string, RequestSpec, boolean]>([
  ["the session's token", list, false],
  ["an older token that is good", { ...list, authorization: "Bearer older" }, false],
  ["no token", { ...list, intent: bad, authorization: null }, true],
  ["no key", { operation: "createToken", intent: bad, apiKey: null }, true],
  [
    "a broken body",
    { operation: "createBatch", intent: invalid("with a broken body"), body: {} },
    false,
  ],
])("%s", (_, spec, wanted) => {
  expect(isBadCredential(spec)).toBe(wanted);
});

test("counts bad credentials alone, and ends at the bound", () => {
  const { take } = createBounds({ ...settings, maxBadCredentials: 2 });
  const spec = { ...list, intent: bad, authorization: null };
  for (const one of [spec, list, spec, list, list]) take(one, "ordinary");
  for (const _ of [1, 2])
    expect(() => take(spec, "credentials")).toThrow(/--max-bad-credentials allows 2/);
  expect(() => createBounds(settings).take(spec, "credentials")).not.toThrow();
});

test("a run sends no more requests than it announced, whatever they are", () => {
  const { take } = createBounds({ ...settings, runs: 25 });
  for (let nth = 0; nth < 1500; nth += 1) take(list, "ordinary");
  const said = "not sent: this run has sent as many requests as it announced at most (1500)";
  expect(() => take(list, "ordinary")).toThrow(said);
  expect(() => take({ operation: "createToken", intent: valid }, "ordinary")).toThrow(said);
  expect(mostRequests({ runs: 1 })).toBe(1500);
  expect(mostRequests({ runs: 100 })).toBe(2100);
});

test.each<[number, RequestSpec["intent"], boolean]>([
  [400, valid, true],
  [500, valid, true],
  [201, valid, true],
  [408, valid, false],
  [409, valid, false],
  [422, bad, false],
  [500, bad, true],
  [201, bad, true],
])(
  "a creation that gets %i counts if it was to succeed or may exist: %o",
  (status, intent, counts) => {
    const spec: RequestSpec = { operation: "createBatch", intent };
    const { take, giveBack, isSpent } = createBounds({
      ...settings,
      runs: -100,
      selection: ["BATCH-01"],
    });
    expect(isSpent("proof")).toBe(false);
    for (let nth = 0; nth < 40; nth += 1) {
      take(spec, "proof");
      giveBack(spec, "proof", response(status));
    }
    expect(isSpent("proof")).toBe(counts);
  },
);

const response = (status: number, ...headers: Fields) => responseOf({ status, headers });

test.each([
  [429, [], true],
  [503, [["retry-after", "1"]], true],
  [503, [], false],
  [403, [["Retry-After", "1"]], false],
  [403, [], false],
  [200, [["Retry-After", "1"]], false],
] as const)("%i with %j throttles (INT-13): %s", (status, headers, wanted) => {
  expect(isThrottling(response(status, ...headers))).toBe(wanted);
});

const now = Date.parse("2026-01-02T03:04:05Z");
const date = "Fri, 02 Jan 2026 03:04:15 GMT";

test.each([
  ["nothing said", [], 1000],
  ["seconds", [["Retry-After", "7"]], 7000],
  ["a date", [["Retry-After", date]], 10_000],
  ["a date that has passed", [["Retry-After", "Fri, 02 Jan 2026 03:04:00 GMT"]], 0],
  ["words", [["Retry-After", "soon"]], 1000],
  [
    "a date by a clock that is hours off",
    [
      ["Retry-After", date],
      ["Date", "Fri, 02 Jan 2026 03:04:12 GMT"],
    ],
    3000,
  ],
] as const)("how long to wait, in milliseconds: %s", (_, headers, wanted) => {
  expect(waitOf(response(429, ...(headers as Fields)), now)).toBe(wanted);
});

function sentBy(
  spec: Partial<RequestSpec> & Pick<RequestSpec, "operation">,
  over: Partial<Target> = {},
) {
  return httpRequestOf(
    { intent: valid, ...spec },
    { ...target, ...over },
    { token: "T", userAgent: "fxconform/1 (run)", serial: 7 },
  );
}

describe("the path", () => {
  test.each([
    ["https://fx.example/", "/batches", "https://fx.example/batches"],
    ["https://fx.example:8443/api/v1", "/api/v1/batches", "https://fx.example:8443/api/v1/batches"],
  ])("%s keeps its base path", (baseUrl, path, url) => {
    const { request, sent } = sentBy(list, { baseUrl });
    expect([request.path, sent.url]).toEqual([path, url]);
  });

  test.each([
    ["a/b", "a%2Fb"],
    ["a b+c&d=e;f:@", "a%20b%2Bc%26d%3De%3Bf%3A%40"],
    ["é漢😀", "%C3%A9%E6%BC%A2%F0%9F%98%80"],
    ["lone\ud800", "lone%EF%BF%BD"],
  ])("an id %j goes in as %s (INT-21)", (id, encoded) => {
    const { request } = sentBy({ operation: "addAcamItem", path: { operation_id: id } });
    expect(request.path).toBe(`/api/corporate/operation/${encoded}/acam`);
  });
});

describe("headers", () => {
  const always = [
    ["User-Agent", "fxconform/1 (run)"],
    ["Accept", "application/json"],
    ["Accept-Encoding", "gzip"],
  ];

  test("of a request without and with a body", () => {
    expect(sentBy(list).request.headers).toEqual([...always, ["Authorization", "Bearer T"]]);
    expect(sentBy(create).request.headers).toEqual([
      ...always,
      ["Content-Type", "application/json"],
      ["Authorization", "Bearer T"],
    ]);
    expect(sentBy(create).sent.headers).toEqual(sentBy(create).request.headers);
  });

  test.each<[Partial<RequestSpec>, RequestSpec, string, string | undefined]>([
    [{ authorization: "" }, list, "authorization", ""],
    [{ authorization: null }, list, "authorization", undefined],
    [{ apiKey: "other" }, token, "x-api-key", "other"],
    [{ contentType: null }, create, "content-type", undefined],
    [{ contentType: "application/json" }, token, "content-type", "application/json"],
  ])("that a request brings along: %j", (more, spec, name, value) => {
    expect(fieldOf(sentBy({ ...spec, ...more }).request.headers, name)).toBe(value);
  });
});

const sentText = (spec: Partial<RequestSpec> & Pick<RequestSpec, "operation">) => {
  const { request, sent } = sentBy(spec);
  expect(sent.body).toEqual(request.body);
  return request.body === undefined ? undefined : Buffer.from(request.body).toString("utf8");
};

test("the body goes as JSON, as made for this sending, as text, as bytes", () => {
  expect(sentText(list)).toBeUndefined();
  expect(sentText(create)).toBe('{"currency_pair":"USDBRL"}');
  expect(sentText({ ...create, body: null })).toBe("null");
  expect(sentText({ ...create, body: (serial) => ({ serial }) })).toBe('{"serial":7}');
  expect(sentText({ operation: "createBatch", text: '{"a":' })).toBe('{"a":');
  expect(sentBy({ operation: "createBatch", text: Uint8Array.of(0xff) }).request.body).toEqual(
    Uint8Array.of(0xff),
  );
});

test("added headers go out with every request, and none of them can be one that requests carry anyway", () => {
  const added = { name: "X-Gateway-Key", value: "the gateway's" };
  for (const spec of [list, create, token]) {
    const { request } = sentBy(spec, { headers: [added] });
    expect(fieldOf(request.headers, "x-gateway-key")).toBe("the gateway's");
    const own = sentBy(spec).request.headers.map(([name]) => name.toLowerCase());
    expect(own.filter((name) => !Object.hasOwn(ownHeaders, name))).toEqual([]);
  }
});
