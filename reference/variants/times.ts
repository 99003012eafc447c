import { row, type Variant } from "./variant.ts";

type Kind = "operation" | "batch";
const hour = 3_600_000;

/** A variant that writes times otherwise. */
const spelt = (id: string, about: string, spell: (time: string, kind: Kind) => string): Variant =>
  row(`time-${id}`, about, { slot: "times" }).by(() => ({
    timestamp: (time, kind) => spell(time.toISOString(), kind),
  }));

/** A variant whose clock is wrong. */
const wrongClock = (id: string, about: string, ms: number, excludes: readonly string[] = []): Variant =>
  row(`clock-${id}`, about, excludes.length === 0 ? {} : { excludes }).by((base) => ({
    timestamp: (time, kind) => base.timestamp(new Date(time.getTime() + ms), kind),
  }));

/** The same time of a batch with another offset, in hours. */
const ofBatch =
  (hours: number, offset: string) =>
  (time: string, kind: Kind): string =>
    kind === "batch" ? new Date(Date.parse(time) + hours * hour).toISOString().replace("Z", offset) : time;

/** Other forms of times (RFC 3339), and a wrong clock. */
export const timeVariants: readonly Variant[] = [
  spelt("whole-seconds", "Times have no fraction of a second.", (time) => time.replace(/\.\d+/, "")),
  spelt("nanoseconds", "Times have nine digits after the second.", (time) => time.replace("Z", "000123Z")),
  spelt("one-digit", "Times have one digit after the second.", (time) => time.replace(/(\.\d)\d+/, "$1")),
  spelt("plus-zero", "Times have the offset +00:00.", (time) => time.replace("Z", "+00:00")),
  spelt("minus-zero", "Times have the offset -00:00.", (time) => time.replace("Z", "-00:00")),
  spelt("of-batch-local", "Times of batches have the offset of São Paulo.", ofBatch(-3, "-03:00")),
  spelt("of-batch-east", "Times of batches have the offset of Tashkent.", ofBatch(5, "+05:00")),
  spelt("small-letters", "Times have a lower-case t and z.", (time) => time.toLowerCase()),
  wrongClock("ahead", "The clock is three hours ahead.", 3 * hour),
  wrongClock("behind", "The clock is a day behind.", -24 * hour, ["clock-ahead"]),
];
