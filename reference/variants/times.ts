import type { Change } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

type Kind = "operation" | "batch";

const spelt =
  (spell: (time: string, kind: Kind) => string): Change =>
  () => ({ timestamp: (time, kind) => spell(time.toISOString(), kind) });

/** The same time with another offset, in hours. */
const ahead = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * 3_600_000)
    .toISOString()
    .replace("Z", `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`);

const slot = { slot: "times" } as const;

/** Other forms of times (RFC 3339), and a wrong clock. */
export const timeVariants: readonly Variant[] = [
  row("time-whole-seconds", "Times have no fraction of a second.", slot).by(spelt((time) => time.replace(/\.\d+/, ""))),
  row("time-nanoseconds", "Times have nine digits after the second.", slot).by(
    spelt((time) => time.replace("Z", "000123Z").replace(/(\.\d{9})\d*/, "$1")),
  ),
  row("time-one-digit", "Times have one digit after the second.", slot).by(
    spelt((time) => time.replace(/(\.\d)\d+/, "$1")),
  ),
  row("time-plus-zero", "Times have the offset +00:00.", slot).by(spelt((time) => time.replace("Z", "+00:00"))),
  row("time-minus-zero", "Times have the offset -00:00.", slot).by(spelt((time) => time.replace("Z", "-00:00"))),
  row("time-of-batch-local", "Times of batches have the offset of São Paulo.", slot).by(
    spelt((time, kind) => (kind === "batch" ? ahead(time, -3) : time)),
  ),
  row("time-of-batch-east", "Times of batches have the offset of Tashkent.", slot).by(
    spelt((time, kind) => (kind === "batch" ? ahead(time, 5) : time)),
  ),
  row("time-small-letters", "Times have a lower-case t and z.", slot).by(spelt((time) => time.toLowerCase())),
  row("clock-ahead", "The clock is three hours ahead.").by((base) => ({
    timestamp: (time, kind) => base.timestamp(new Date(time.getTime() + 3 * 3_600_000), kind),
  })),
  row("clock-behind", "The clock is a day behind.", { excludes: ["clock-ahead"] }).by((base) => ({
    timestamp: (time, kind) => base.timestamp(new Date(time.getTime() - 86_400_000), kind),
  })),
];
