import type { Json } from "../../../spec/json.ts";
import { isDateTime } from "../response-schemas.ts";

/**
 * A time as a text gives it, in nanoseconds since the epoch, and how much its last digit is worth.
 * Of a text without a fraction that is a second; of one whose digits are all zero, too.
 */
interface ShownTime {
  readonly at: bigint;
  readonly digit: bigint;
}

const second = 1_000_000_000n;

/** Whether a value is a date-time of RFC 3339. */
export const isTime = (value: Json): boolean => shownTime(value) !== undefined;

function shownTime(text: Json): ShownTime | undefined {
  if (typeof text !== "string" || !isDateTime(text)) return undefined;
  const [, before = "", digits = "", zone = ""] =
    /^(.*?)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  // A leap second has no milliseconds of its own in JavaScript.
  const whole = Date.parse(`${before.replace(/:60$/, ":59").toUpperCase()}${zone.toUpperCase()}`);
  if (Number.isNaN(whole)) return undefined;
  const nine = digits.slice(0, 9);
  const fraction = BigInt(nine.padEnd(9, "0"));
  return {
    at: BigInt(whole) * 1_000_000n + fraction,
    digit: fraction === 0n ? second : 10n ** BigInt(9 - nine.length),
  };
}

/**
 * The instants that a text can stand for, truncated or rounded: from half a digit before it to a
 * digit after it.
 */
const rangeOf = ({ at, digit }: ShownTime) => ({ from: at - digit / 2n, to: at + digit });

/**
 * How a time differs from another one, in words: `3 h later`, where whole quarters of an hour lie
 * between them, as after a mistake with a zone, or `another instant`. Undefined if there is an
 * instant of which both texts can be made by truncating or rounding (INT-59), or if a text is no
 * time.
 */
export function differenceInTime(first: Json, again: Json): string | undefined {
  const [one, other] = [shownTime(first), shownTime(again)];
  if (one === undefined || other === undefined) return undefined;
  const [a, b] = [rangeOf(one), rangeOf(other)];
  if (a.from < b.to && b.from < a.to) return undefined;
  const gap = Number((other.at - one.at) / 1_000_000n);
  const quarters = Math.round(gap / quarter);
  if (quarters === 0 || Math.abs(gap - quarters * quarter) > 1000) return "another instant";
  const hours = Math.abs(quarters) / 4;
  return `${hours < 1 ? `${hours * 60} min` : `${hours} h`} ${quarters > 0 ? "later" : "earlier"}`;
}

const quarter = 15 * 60_000;
