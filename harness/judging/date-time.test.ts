import { describe, expect, test } from "vitest";
import { isDateTime } from "./date-time.ts";

describe("a date-time of RFC 3339 (INT-08)", () => {
  test.each([
    "1985-04-12T23:20:50.52Z",
    "1996-12-19T16:39:57-08:00",
    "1990-12-31T23:59:60Z",
    "1937-01-01T12:00:27.87+00:20",
    "2024-02-29T00:00:00Z",
    "2000-02-29T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999999Z",
    "2026-01-31t00:00:00z",
    "2026-01-01T00:00:00+23:59",
    "2026-01-01T00:00:00-00:00",
    "2026-01-01T00:00:00.0+00:00",
  ])("is %s", (text) => expect(isDateTime(text)).toBe(true));

  test.each([
    ["a space", "2026-01-02 03:04:05Z"],
    ["a tab", "2026-01-02\t03:04:05Z"],
    ["no zone", "2026-01-02T03:04:05"],
    ["a zone without colon", "2026-01-02T03:04:05+0200"],
    ["a zone of hours", "2026-01-02T03:04:05+02"],
    ["a zone by name", "2026-01-02T03:04:05[UTC]"],
    ["two zones", "2026-01-02T03:04:05Z+00:00"],
    ["a number", "1767323045"],
    ["a date", "2026-01-02"],
    ["no seconds", "2026-01-02T03:04Z"],
    ["a point without digits", "2026-01-02T03:04:05.Z"],
    ["a comma", "2026-01-02T03:04:05,5Z"],
    ["month 0", "2026-00-02T03:04:05Z"],
    ["month 13", "2026-13-02T03:04:05Z"],
    ["day 0", "2026-01-00T03:04:05Z"],
    ["day 32", "2026-01-32T03:04:05Z"],
    ["30 February", "2024-02-30T03:04:05Z"],
    ["29 February of a common year", "2026-02-29T03:04:05Z"],
    ["29 February of 1900", "1900-02-29T03:04:05Z"],
    ["31 April", "2026-04-31T03:04:05Z"],
    ["hour 24", "2026-01-02T24:00:00Z"],
    ["minute 60", "2026-01-02T03:60:05Z"],
    ["second 61", "2026-01-02T03:04:61Z"],
    ["zone hour 24", "2026-01-02T03:04:05+24:00"],
    ["zone minute 60", "2026-01-02T03:04:05+01:60"],
    ["three digits of a year", "026-01-02T03:04:05Z"],
    ["five digits of a year", "12026-01-02T03:04:05Z"],
    ["text before", " 2026-01-02T03:04:05Z"],
    ["text after", "2026-01-02T03:04:05Z\n"],
    ["other digits", "２026-01-02T03:04:05Z"],
    ["nothing", ""],
  ])("is none with %s", (_, text) => expect(isDateTime(text)).toBe(false));
});
