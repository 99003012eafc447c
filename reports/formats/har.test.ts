import { expect, test } from "vitest";
import { har } from "./har.ts";
import type { RecordedExchange } from "../../model/run.ts";
import { exchange as violating, runs, unanswered } from "../testing/runs.ts";

interface Entry {
  readonly request: { readonly url: string; readonly queryString: readonly unknown[] };
  readonly response: { readonly status: number };
  readonly timings: { readonly wait: number; readonly receive: number };
  readonly comment: string;
  readonly _requirements: readonly string[];
}

function logOf(exchanges: readonly RecordedExchange[]): {
  readonly entries: readonly Entry[];
  readonly comment: string;
} {
  return (
    JSON.parse(har.render({ ...runs.nonconformant, exchanges })) as {
      log: ReturnType<typeof logOf>;
    }
  ).log;
}

test("exchanges with a finding come first and name the requirement; the others are in the order of sending", () => {
  const late = { ...unanswered, id: 20, at: 900 };
  const { entries } = logOf([late, unanswered, { ...violating, at: 5000 }]);
  expect(entries.map(({ comment }) => comment)).toEqual([
    "OPER-02: valid; violates OPER-02",
    "OPER-40: invalid: currency_amount of zero; no finding; no response within 1 s",
    "OPER-40: invalid: currency_amount of zero; no finding; no response within 1 s",
  ]);
  expect(entries[0]?.["_requirements"]).toEqual(["OPER-02"]);
  expect(entries.map(({ response }) => response.status)).toEqual([200, 0, 0]);
});

test("an entry has the request and the response whole", () => {
  const [entry] = logOf([violating]).entries;
  expect(entry).toMatchObject({
    startedDateTime: "2026-03-01T09:00:00.049Z",
    time: 21.7,
    request: {
      method: violating.request.method,
      headers: violating.request.headers.map(([name, value]) => ({ name, value })),
      bodySize: 101,
      postData: { mimeType: "application/json", text: violating.request.body },
    },
    response: {
      statusText: "OK",
      headers: violating.response?.headers.map(([name, value]) => ({ name, value })),
      content: { size: 88, mimeType: "application/json", text: violating.response?.body },
    },
  });
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
