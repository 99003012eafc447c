import type { Kind } from "./kind.ts";
import { measure } from "./measure.ts";
import type { NumberRange } from "./number.ts";

/** A duration in milliseconds: `1500ms`, `10s`, `2m`, or a bare number. */
export const duration = (range: NumberRange): Kind<number> =>
  measure({
    noun: "a duration",
    units: { ms: 1, s: 1_000, m: 60_000 },
    ...range,
    examples: "1500ms, 10s or 2m; a bare number means milliseconds",
    toText: durationText,
  });

function durationText(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
  if (milliseconds > 0 && milliseconds % 1_000 === 0) return `${milliseconds / 1_000}s`;
  return `${milliseconds}ms`;
}
