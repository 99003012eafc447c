const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** A date-time of RFC 3339, 5.6, with its zone; any number of fraction digits. */
export const isDateTime = (text: string): boolean => {
  const parts = shape.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [zoneHour, zoneMinute] = [Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 60 &&
    zoneHour <= 23 &&
    zoneMinute <= 59
  );
};

/** A date-time whose zone is UTC: `Z`, `+00:00` or `-00:00`. */
export const isUtc = (text: string): boolean => isDateTime(text) && /(?:[Zz]|[+-]00:00)$/.test(text);

const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
