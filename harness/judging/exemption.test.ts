import { expect, test } from "vitest";
import type { Exchange } from "../../model/exchange.ts";
import { exchangeOf, type ExchangeOverrides } from "../../model/testing/exchanges.ts";
import { brokenIn } from "../testing/judgements.ts";
import { exemptionOf } from "./rules/index.ts";

const sending = (change: Partial<Exchange["request"]>, answer: ExchangeOverrides = {}): Exchange => {
  const exchange = exchangeOf("createOperation", answer);
  return { ...exchange, request: { ...exchange.request, ...change } };
};

const page = { status: 302, type: "text/html", body: "<html>" };

test.each<readonly [what: string, exchange: Exchange, by: string | undefined]>([
  ["a usual request", sending({}), undefined],
  ["a redirection", exchangeOf("createBatch", page), "INT-34"],
  ["a list that has not changed", exchangeOf("listBatches", { status: 304, body: "" }), undefined],
  ["another method", sending({ method: "PUT" }), "INT-38"],
  ["a header that is too long", exchangeOf("createBatch", { ...page, status: 431 }), "INT-38"],
  ["a body that is not UTF-8", sending({ body: Buffer.from([0x7b, 0xff, 0x7d]) }), "INT-41"],
  ["a malformed body", sending({ body: Buffer.from("{") }), undefined],
  ["a query that is not UTF-8", sending({ url: "https://fx.example/batches?status=%ff" }), "INT-41"],
  ["an encoded query", sending({ url: "https://fx.example/batches?limit%5B%5D=1&status=%E2%82%AC" }), undefined],
  ["a content coding", sending({ headers: [["content-encoding", "gzip"]] }), "INT-44"],
  ["no content coding", sending({ headers: [["Content-Encoding", "identity"]] }), undefined],
])("%s", (_, exchange, by) => {
  expect(exemptionOf(exchange)).toBe(by);
});

test("a refusal by the framework is judged of malformed JSON, and not of bytes that are not UTF-8", () => {
  const refusal = { status: 400, json: { status: 400, error: "Bad Request" } };
  const [malformed, encoding] = ['{"a":', [0xff]].map((body) => sending({ body: Buffer.from(body) }, refusal));
  for (const [exchange, broken] of [
    [malformed, ["OPER-17"]],
    [encoding, []],
  ] as const)
    if (exchange !== undefined) expect(brokenIn({ ...exchange, exemptBy: exemptionOf(exchange) })).toEqual(broken);
});
