import * as fc from "fast-check";
import type { Format } from "../source.ts";

/** Date and time with a zone (RFC 3339, section 5.6): any number of fraction digits, and leap seconds. */
export const dateTime: Format = {
  name: "date-time",
  isValid: isDateTime,
  source: {
    arbitrary: () =>
      fc.oneof(
        instant.map((date) => date.toISOString()),
        withOffset,
      ),
  },
};

const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))$/;

function isDateTime(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = shape
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0)) ?? [NaN, NaN];
  if (!(month >= 1 && month <= 12) || day < 1 || day > daysIn(year, month)) return false;
  return hour <= 23 && minute <= 59 && second <= 60 && zoneHour <= 23 && zoneMinute <= 59;
}

/** Day 0 of the next month is the last of this one. `setUTCFullYear`, because `Date.UTC` reads year 50 as 1950. */
const daysIn = (year: number, month: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
};

const instant = fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });

const withOffset = fc
  .record({
    date: instant,
    fraction: fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 9 }),
    zone: fc.constantFrom("Z", "+00:00", "-00:00", "-03:00", "+05:45", "+14:00"),
  })
  .map(({ date, fraction, zone }) => date.toISOString().slice(0, 19) + (fraction && `.${fraction}`) + zone);
