import { describe, expect, test } from "vitest";
import { fieldOf } from "../../model/exchange.ts";
import { valid, type RequestSpec } from "../../model/request.ts";
import { ownHeaders } from "../../model/target.ts";
import { target } from "../../model/testing/target.ts";
import { httpRequestOf } from "./attempt.ts";

const list: RequestSpec = { operation: "listBatches", intent: valid };
const create: RequestSpec = {
  operation: "createBatch",
  intent: valid,
  body: { currency_pair: "USDBRL" },
};
const token: RequestSpec = { operation: "createToken", intent: valid };

function sentBy(
  spec: Partial<RequestSpec> & Pick<RequestSpec, "operation">,
  baseUrl = target.baseUrl,
) {
  return httpRequestOf(
    { intent: valid, ...spec },
    { ...target, baseUrl },
    { token: "T", userAgent: "fxconform/1 (run)", serial: 7 },
  );
}

describe("the path", () => {
  test.each([
    ["https://fx.example/", "/batches", "https://fx.example/batches"],
    ["https://fx.example:8443/api/v1", "/api/v1/batches", "https://fx.example:8443/api/v1/batches"],
  ])("%s keeps its base path", (baseUrl, path, url) => {
    const { request, sent } = sentBy(list, baseUrl);
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

describe("the body", () => {
  const text = (spec: Partial<RequestSpec> & Pick<RequestSpec, "operation">) => {
    const { request, sent } = sentBy(spec);
    expect(sent.body).toEqual(request.body);
    return request.body === undefined ? undefined : Buffer.from(request.body).toString("utf8");
  };

  test("as JSON, as made for this sending, as text, as bytes", () => {
    expect(text(list)).toBeUndefined();
    expect(text(create)).toBe('{"currency_pair":"USDBRL"}');
    expect(text({ ...create, body: null })).toBe("null");
    expect(text({ ...create, body: (serial) => ({ serial }) })).toBe('{"serial":7}');
    expect(text({ operation: "createBatch", text: '{"a":' })).toBe('{"a":');
    expect(sentBy({ operation: "createBatch", text: Uint8Array.of(0xff) }).request.body).toEqual(
      Uint8Array.of(0xff),
    );
  });
});

test("added headers go out with every request, and none of them can be one that requests carry anyway", () => {
  const added = { name: "X-Gateway-Key", value: "the gateway's" };
  for (const spec of [list, create, token]) {
    const signature = { token: "T", userAgent: "fxconform/1 (run)", serial: 7 };
    const { request } = httpRequestOf(spec, { ...target, headers: [added] }, signature);
    expect(fieldOf(request.headers, "x-gateway-key")).toBe("the gateway's");
    const own = httpRequestOf(spec, target, signature).request.headers.map(([name]) =>
      name.toLowerCase(),
    );
    expect(own.filter((name) => !Object.hasOwn(ownHeaders, name))).toEqual([]);
  }
});
