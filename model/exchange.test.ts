import { describe, expect, test } from "vitest";
import {
  isRefusal,
  isSuccess,
  jsonOf,
  messageOf,
  pageTitleIn,
  utf8,
  withoutDigits,
} from "./exchange.ts";
import { exchangeOf, responseOf } from "./testing/exchanges.ts";

test.each([
  [200, true, false],
  [300, false, false],
  [499, false, true],
  [500, false, false],
])("%i: success %s, refusal %s", (status, success, refusal) => {
  const exchange = exchangeOf("createToken", { status });
  expect([isSuccess(exchange), isRefusal(exchange)]).toEqual([success, refusal]);
});

test.each([
  [{ json: { message: "no" } }, '400 "no"'],
  [{ json: { message: 7 } }, '400 "{"message":7}"'],
  [{ body: "<html><title>No</title><p>more" }, '400 with an HTML page, "No"'],
  [{ body: "" }, "400"],
  [{ body: Buffer.from([0xff]) }, '400 "�"'],
])("the status with the message of the server: %j: %s", (overrides, wanted) => {
  expect(messageOf(exchangeOf("createToken", { status: 400, ...overrides }))).toBe(wanted);
});

test.each([
  ["no user a1b2 here", "no user  here"],
  ["12:00 failed", " failed"],
  // A pattern that tries every beginning of a word takes minutes here.
  ["é".repeat(300_000), "é".repeat(300_000)],
])("a text without its words that have digits: %#", (text, wanted) => {
  expect(withoutDigits(text) === wanted).toBe(true);
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

test.each([
  ["<!DOCTYPE html>\n<title>TypeError at &#x2F;batches</title><h1>x</h1>", "TypeError at /batches"],
  ["<html><body><h1 class=big>Internal <b>Server</b>\n Error</h1></body>", "Internal Server Error"],
  ["<html><p>nothing</p></html>", ""],
  ["<html><title>&#1114112;</title>", "&#1114112;"],
  [`<html><title>${"a".repeat(600)}</title>`, "a".repeat(600)],
  ["Internal Server Error", undefined],
])("of %j, the title is %j", (text, title) => {
  expect(pageTitleIn(text)).toBe(title);
});
