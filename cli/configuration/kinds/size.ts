import type { Kind } from "./kind.ts";
import { measure } from "./measure.ts";
import type { NumberRange } from "./number.ts";

const units = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
} as const;

/** A size in bytes: `128MiB`, `1MB`, or a bare number. */
export const size = (range: NumberRange): Kind<number> =>
  measure({
    noun: "a size",
    units,
    ...range,
    examples: "128MiB or 1MB; a bare number means bytes",
    toText: sizeText,
  });

function sizeText(bytes: number): string {
  for (const unit of ["GiB", "MiB", "KiB", "GB", "MB", "kB"] as const) {
    if (bytes > 0 && bytes % units[unit] === 0) return `${bytes / units[unit]}${unit}`;
  }
  return String(bytes);
}
