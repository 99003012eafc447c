// What can be odd, and legal, about ids and times wherever they show.
import { randomBytes } from "node:crypto";
import { newIds, sent } from "../change.ts";
import type { Kind } from "../policy.ts";
import { deviation, type Deviation } from "./deviation.ts";

const random = (bytes: number): string => randomBytes(bytes).toString("hex");
const plain = { group: "ids" } as const;
const reserved = { group: ["ids", "plain paths"] } as const;

/**
 * Makes ids from a counter for each kind of resource. `spell` must make a different id of each
 * count.
 */
function counted(
  id: string,
  what: string,
  spell: (count: number, kind: Kind) => string,
  facts: typeof plain | typeof reserved = reserved,
): Deviation {
  return deviation(
    id,
    `Ids ${what}.`,
    () => {
      const counts = { counterparty: 0, operation: 0, batch: 0 };
      return {
        newId: (kind) => {
          counts[kind] += 1;
          return spell(counts[kind], kind);
        },
      };
    },
    facts,
  );
}

const ids: readonly Deviation[] = [
  counted(
    "ids-counted",
    "are counters as strings, so that an operation and a batch can have the same id",
    String,
    plain,
  ),
  counted(
    "ids-long",
    "have 240 characters",
    (count) => random(120).replace(/^.{8}/, String(count).padStart(8, "0")),
    plain,
  ),
  counted(
    "ids-differing-by-case",
    "may differ only in letter case",
    (n) => `k${n >> 1}${n % 2 === 0 ? "a" : "A"}`,
    plain,
  ),
  counted(
    "ids-like-nothing",
    "begin with the words null, undefined, NaN and none",
    (count) => ["null", "undefined", "NaN", "none"][count - 1] ?? random(16),
    plain,
  ),
  counted("ids-slashes", "contain slashes", (count, kind) => `fx/${kind}/${count}`),
  counted(
    "ids-queries",
    "contain question marks, hashes and ampersands",
    (count) => `?id=${count}&v#${count}`,
  ),
  counted("ids-percents", "contain percent signs", (count) => `100%25-%2F-${count}%`),
  counted(
    "ids-unicode",
    "contain non-ASCII letters and an emoji",
    (count) => `operação-№${count}-🏦`,
  ),
  counted(
    "ids-quotes",
    "contain quotes, backslashes and brackets",
    (count) => `"${count}'\\<[{|}]>;:@,`,
  ),
  deviation(
    "ids-of-payees",
    "The first operation of a counterparty has its id.",
    newIds("operation", (call, next) => {
      const payee = String(sent(call)["counterparty_id"]);
      return call.store.operations.has(payee) ? next() : payee;
    }),
    plain,
  ),
];

const hour = 3_600_000;
const times = { group: "times" } as const;

function timed(
  id: string,
  about: string,
  spell: (time: string, kind: "operation" | "batch") => string,
): Deviation {
  const timestamp = (time: Date, kind: "operation" | "batch"): string =>
    spell(time.toISOString(), kind);
  return deviation(id, about, () => ({ timestamp }), times);
}

const spelledTimes: readonly Deviation[] = [
  timed("time-whole-seconds", "Times have no fraction of a second.", (time) =>
    time.replace(/\.\d+/, ""),
  ),
  timed("time-nanoseconds", "Times have nine digits after the second.", (time) =>
    time.replace("Z", "000123Z"),
  ),
  timed("time-minus-zero", "Times have the offset -00:00.", (time) => time.replace("Z", "-00:00")),
  timed("blind-kathmandu-batches", "Times of batches have the offset of Nepal.", (time, kind) =>
    kind === "batch"
      ? new Date(Date.parse(time) + 5.75 * hour).toISOString().replace("Z", "+05:45")
      : time,
  ),
  timed("time-small-letters", "Times have a lower-case t and z.", (time) => time.toLowerCase()),
  deviation("clock-behind", "The clock is a day behind.", (base) => ({
    timestamp: (time, kind) => base.timestamp(new Date(time.getTime() - 24 * hour), kind),
  })),
];

export const idsAndTimes: readonly Deviation[] = [...ids, ...spelledTimes];
