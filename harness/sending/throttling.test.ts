import { describe, expect, test } from "vitest";
import type { Fields } from "../../model/request.ts";
import { responseOf } from "../../model/testing/exchanges.ts";
import { isThrottling, waitOf } from "./attempt.ts";

const response = (status: number, ...headers: Fields) => responseOf({ status, headers });

describe("responses that throttle (INT-13)", () => {
  test.each([
    [429, [], true],
    [503, [["retry-after", "1"]], true],
    [503, [], false],
    [403, [["Retry-After", "1"]], true],
    [403, [], false],
    [200, [["Retry-After", "1"]], false],
  ] as const)("%i with %j: %s", (status, headers, wanted) => {
    expect(isThrottling(response(status, ...headers))).toBe(wanted);
  });
});

describe("how long to wait, in milliseconds", () => {
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
  ] as const)("%s", (_, headers, wanted) => {
    expect(waitOf(response(429, ...(headers as Fields)), now)).toBe(wanted);
  });
});
