const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** A date-time of RFC 3339, 5.6, with its zone; any number of fraction digits. */
export const isDateTime = (text: string): boolean => {
  const parts = shape.exec(text);
  if (parts === null) return false;
  const [, year, month, day, hour, minute, second, , zoneHour = 0, zoneMinute = 0] = parts;
  return (
    Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month)) &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 60 &&
    Number(zoneHour) <= 23 &&
    Number(zoneMinute) <= 59
  );
};

/** A date-time whose zone is UTC: `Z`, `+00:00` or `-00:00`. */
export const isUtc = (text: string): boolean => isDateTime(text) && /(?:[Zz]|[+-]00:00)$/.test(text);

/** 0 for an invalid month. Creates no `Date`, because a list has a date-time for each batch. */
const daysIn = (year: number, month: number): number => {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (days[month - 1] ?? 0);
};

const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
