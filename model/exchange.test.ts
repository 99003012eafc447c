import { describe, expect, test } from "vitest";
import { isRefusal, isSuccess, jsonOf, messageOf, utf8, withoutDigits } from "./exchange.ts";
import { responseOf, exchangeOf } from "./testing/exchanges.ts";

test.each([
  [200, true, false],
  [300, false, false],
  [499, false, true],
  [500, false, false],
])("%i: success %s, refusal %s", (status, success, refusal) => {
  const exchange = exchangeOf("createToken", { status });
  expect([isSuccess(exchange), isRefusal(exchange)]).toEqual([success, refusal]);
});

describe("the status with the message of the server", () => {
  test.each([
    [{ json: { message: "no" } }, '400 "no"'],
    [{ json: { message: 7 } }, '400 "{"message":7}"'],
    [{ body: "<html><title>No</title><p>more" }, '400 with an HTML page, "No"'],
    [{ body: "" }, "400"],
    [{ body: Buffer.from([0xff]) }, '400 "�"'],
  ])("%j: %s", (overrides, wanted) => {
    expect(messageOf(exchangeOf("createToken", { status: 400, ...overrides }))).toBe(wanted);
  });
});

describe("a text without its words that have digits", () => {
  test.each([
    ["no user a1b2 here", "no user  here"],
    ["12:00 failed", " failed"],
    // A pattern that tries every beginning of a word takes minutes here.
    ["é".repeat(300_000), "é".repeat(300_000)],
  ])("%#", (text, wanted) => {
    expect(withoutDigits(text) === wanted).toBe(true);
  });
});

describe("the body", () => {
  test("is text if it is UTF-8, and keeps a byte order mark", () => {
    expect(utf8(Buffer.from("São"))).toBe("São");
    expect(utf8(Buffer.from("\uFEFFa"))).toBe("\uFEFFa");
    expect(utf8(Buffer.from("São", "latin1"))).toBeUndefined();
  });

  test("is JSON if it is complete, UTF-8 and well-formed", () => {
    expect(jsonOf(responseOf({ body: ' {"a":1.0} ' }))).toEqual({ a: 1 });
    expect(jsonOf(responseOf({ body: "null" }))).toBeNull();
    expect(jsonOf(responseOf({ body: "{" }))).toBeUndefined();
    expect(jsonOf(responseOf({ body: "\uFEFF{}" }))).toBeUndefined();
    expect(jsonOf(responseOf({ body: Buffer.from('"é"', "latin1") }))).toBeUndefined();
    expect(jsonOf(responseOf({ body: "{}", defect: { kind: "cut", text: "" } }))).toBeUndefined();
  });
});
