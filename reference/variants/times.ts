import type { Change } from "../policy.ts";
import type { Variant } from "./variant.ts";
import { row } from "./row.ts";

type Kind = "operation" | "batch";

const spelt =
  (spell: (time: string, kind: Kind) => string): Change =>
  () => ({ timestamp: (time, kind) => spell(time.toISOString(), kind) });

/** The same moment by a clock that is so many hours ahead. */
const ahead = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * 3_600_000)
    .toISOString()
    .replace("Z", `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`);

const slot = { slot: "times" } as const;

/** Other spellings of times (RFC 3339), and a clock that is off. */
export const timeVariants: readonly Variant[] = [
  row(
    "time-whole-seconds",
    "Times have no fractions of a second.",
    spelt((time) => time.replace(/\.\d+/, "")),
    slot,
  ),
  row(
    "time-nanoseconds",
    "Times have nine digits of a second.",
    spelt((time) => time.replace("Z", "000123Z").replace(/(\.\d{9})\d*/, "$1")),
    slot,
  ),
  row(
    "time-one-digit",
    "Times have one digit of a second.",
    spelt((time) => time.replace(/(\.\d)\d+/, "$1")),
    slot,
  ),
  row(
    "time-plus-zero",
    "Times have the offset +00:00.",
    spelt((time) => time.replace("Z", "+00:00")),
    slot,
  ),
  row(
    "time-minus-zero",
    "Times have the offset -00:00.",
    spelt((time) => time.replace("Z", "-00:00")),
    slot,
  ),
  row(
    "time-of-batch-local",
    "Times of batches have the offset of São Paulo.",
    spelt((time, kind) => (kind === "batch" ? ahead(time, -3) : time)),
    slot,
  ),
  row(
    "time-of-batch-east",
    "Times of batches have the offset of Tashkent.",
    spelt((time, kind) => (kind === "batch" ? ahead(time, 5) : time)),
    slot,
  ),
  row(
    "time-small-letters",
    "Times have a small t and z.",
    spelt((time) => time.toLowerCase()),
    slot,
  ),
  row("clock-ahead", "The clock is three hours ahead.", (base) => ({
    timestamp: (time, kind) => base.timestamp(new Date(time.getTime() + 3 * 3_600_000), kind),
  })),
  row(
    "clock-behind",
    "The clock is a day behind.",
    (base) => ({
      timestamp: (time, kind) => base.timestamp(new Date(time.getTime() - 86_400_000), kind),
    }),
    { excludes: ["clock-ahead"] },
  ),
];
