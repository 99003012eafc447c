import { describe, expect, test } from "vitest";
import { dateTimes, noDateTimes } from "../../spec/testing/date-times.ts";
import { isDateTime } from "./response-schemas.ts";

describe("a date-time of RFC 3339 (INT-08)", () => {
  test.each(dateTimes)("is %s", (text) => expect(isDateTime(text)).toBe(true));

  test.each(noDateTimes)("is none with %s", (_, text) => expect(isDateTime(text)).toBe(false));
});
