import { expect, test } from "vitest";
import { har } from "./har.ts";
import type { RecordedExchange } from "../../model/run.ts";
import { exchange as violating, runs, unanswered } from "../testing/runs.ts";

interface Entry {
  readonly request: { readonly url: string; readonly queryString: readonly unknown[] };
  readonly comment: string;
}

function logOf(exchanges: readonly RecordedExchange[]) {
  const { log } = JSON.parse(har.render({ ...runs.nonconformant, exchanges })) as {
    readonly log: { readonly entries: readonly Entry[] };
  };
  return log;
}

test("exchanges with a finding come first; the others are in the order of sending", () => {
  const late = { ...unanswered, id: 20, at: 900, intent: "late" };
  const { entries } = logOf([late, unanswered, { ...violating, at: 5000 }]);
  expect(entries.map(({ comment }) => comment.split(";")[0])).toEqual([
    "OPER-02: valid",
    "OPER-40: invalid: currency_amount of zero",
    "OPER-40: late",
  ]);
});

test.each([
  ["https://fx.example/a?limit=1&x=%20y", "https://fx.example/a?limit=1&x=%20y", 2],
  ["https://[::1]:4010/a b\u001b[2J", "https://[::1]:4010/a%20b%5Cu001b%5B2J", 0],
  ["no address", "no%20address", 0],
])("the URL %j becomes %j", (url, wanted, parameters) => {
  const [entry] = logOf([{ ...violating, request: { ...violating.request, url } }]).entries;
  expect(entry?.request.url).toBe(wanted);
  expect(entry?.request.queryString).toHaveLength(parameters);
});
