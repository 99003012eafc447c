import { describe, expect, test } from "vitest";
import { unusual, type Json } from "../../../model/exchange.ts";
import { changed, exchangeOf, sound, type ExchangeOverrides } from "../../../model/testing/exchanges.ts";
import { brokenIn, said, saidOf } from "../../testing/judgements.ts";
import { newOperation } from "./operation.ts";

const exchangeWith = (pointer: string, value: Json | undefined, overrides: ExchangeOverrides = {}) =>
  exchangeOf("createOperation", { ...overrides, json: changed(sound.createOperation.response, pointer, value) });

describe("a new operation (INT-18)", () => {
  test("is answered with 200, pending_quote, in no batch, in UTC", () => {
    for (const exchange of [
      exchangeOf("createOperation"),
      exchangeOf("createOperation", { intent: unusual("long purpose") }),
    ]) {
      const kept = ["OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-14"].map((id) => `${id} holds`);
      expect(new Set(said(newOperation, exchange))).toEqual(new Set(kept));
    }
  });

  test.each([201, 202, 204, 299])("status %i is not 200", (status) => {
    expect(saidOf("OPER-01", newOperation, exchangeOf("createOperation", { status }))).toEqual([
      `OPER-01 POST /corporate/operation: the success has another status than 200. | status 200 | status ${status} | -`,
    ]);
  });

  test.each([
    ["created", '/status = "created"'],
    ["PENDING_QUOTE", '/status = "PENDING_QUOTE"'],
    ["pending_quote ", '/status = "pending_quote "'],
    [null, "/status = null"],
    [undefined, "/status is absent"],
  ])("status %j", (status, actual) => {
    const exchange = exchangeWith("/status", status);
    expect(brokenIn(exchange)).toEqual(["OPER-02"]);
    expect(saidOf("OPER-02", newOperation, exchange)).toEqual([
      `OPER-02 POST /corporate/operation: the new operation is not pending_quote. | /status = "pending_quote" | ${actual} | /status`,
    ]);
  });

  test("a batch_id fails, its absence is not quite right", () => {
    const [there, absent] = [exchangeWith("/batch_id", "b-1"), exchangeWith("/batch_id", undefined)];
    expect(saidOf("OPER-03", newOperation, there)).toEqual([
      'OPER-03 POST /corporate/operation: the new operation is in a batch. | /batch_id = null | /batch_id = "b-1" | /batch_id',
    ]);
    expect(saidOf("OPER-04", newOperation, there)).toEqual(["OPER-04 holds"]);
    expect(saidOf("OPER-03", newOperation, absent)).toEqual(["OPER-03 holds"]);
    expect(saidOf("OPER-04", newOperation, absent)).toEqual([
      "OPER-04 POST /corporate/operation: the new operation does not show its batch_id. | /batch_id = null | /batch_id is absent | /batch_id",
    ]);
    expect(brokenIn(exchangeWith("/batch_id", ""))).toEqual(["OPER-03"]);
  });

  test.each([
    "2026-01-02T03:04:05Z",
    "2026-01-02t03:04:05.5z",
    "2026-01-02T03:04:05+00:00",
    "2026-01-02T03:04:05-00:00",
  ])("%s is in UTC", (at) => expect(brokenIn(exchangeWith("/created_at", at))).toEqual([]));

  test.each(["2026-01-02T03:04:05+01:00", "2026-01-02T03:04:05-03:00", "2026-01-02T03:04:05+00:30"])(
    "%s is not",
    (at) => {
      expect(brokenIn(exchangeWith("/created_at", at))).toEqual(["OPER-14"]);
      expect(saidOf("OPER-14", newOperation, exchangeWith("/created_at", at))).toEqual([
        `OPER-14 POST /corporate/operation: the created_at of the operation is not in UTC. | /created_at is an RFC 3339 date-time in UTC: it ends in Z, +00:00 or -00:00 | /created_at = "${at}" | /created_at`,
      ]);
    },
  );

  test.each([undefined, 7, "2026-01-02T03:04:05", ["2026-01-02T03:04:05+01:00"]])(
    "a created_at of %j says nothing of its zone",
    (at) => {
      expect(saidOf("OPER-14", newOperation, exchangeWith("/created_at", at))).toEqual([]);
      expect(saidOf("OPER-02", newOperation, exchangeWith("/created_at", at))).toEqual(["OPER-02 holds"]);
    },
  );

  test("only the status code is judged where the body is not an object", () => {
    expect(said(newOperation, exchangeOf("createOperation", { json: [] }))).toEqual(["OPER-01 holds"]);
    expect(said(newOperation, exchangeOf("createOperation", { body: "{" }))).toEqual(["OPER-01 holds"]);
  });
});
