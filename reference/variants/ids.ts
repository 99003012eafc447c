import { randomBytes, randomUUID } from "node:crypto";
import type { Change, Kind } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** Ids made from a counter for each kind. `spell` must give each count another id. */
const counted =
  (spell: (count: number, kind: Kind) => string): Change =>
  () => {
    const counts = { counterparty: 0, operation: 0, batch: 0 };
    return { newId: (kind) => spell((counts[kind] += 1), kind) };
  };

const slot = { slot: "ids" } as const;
const reserved = { slot: "ids", excludes: ["proxy-plain-paths"] } as const;

/** Ids of other forms: an id is a string of any characters. */
export const idVariants: readonly Variant[] = [
  row("ids-counted", "Ids are counters as strings, so that an operation and a batch can have the same id.", slot).by(
    counted(String),
  ),
  row("ids-prefixed", "Ids begin with the kind of resource.", slot).by(
    counted((count, kind) => `${kind}_${count}_${randomBytes(4).toString("hex")}`),
  ),
  row("ids-slashes", "Ids contain slashes.", reserved).by(counted((count, kind) => `fx/${kind}/${count}`)),
  row("ids-queries", "Ids contain question marks, hashes and ampersands.", reserved).by(
    counted((count) => `?id=${count}&v#${count}`),
  ),
  row("ids-percents", "Ids contain percent signs.", reserved).by(counted((count) => `100%25-%2F-${count}%`)),
  row("ids-spaces", "Ids contain spaces and plus signs.", reserved).by(counted((count) => `id ${count} + more`)),
  row("ids-unicode", "Ids contain non-ASCII letters and an emoji.", reserved).by(
    counted((count) => `operação-№${count}-🏦`),
  ),
  row("ids-quotes", "Ids contain quotes, backslashes and brackets.", reserved).by(
    counted((count) => `"${count}'\\<[{|}]>;:@,`),
  ),
  row("ids-long", "Ids have 240 characters.", slot).by(
    counted((count) => randomBytes(120).toString("hex").replace(/^.{8}/, String(count).padStart(8, "0"))),
  ),
  row("ids-base64", "Ids are in base64 with +, / and padding.", reserved).by(() => ({
    newId: () => randomBytes(16).toString("base64"),
  })),
  row("ids-capitals", "Ids are UUIDs in upper case.", slot).by(() => ({ newId: () => randomUUID().toUpperCase() })),
  row("ids-differing-by-case", "Some ids differ only in letter case.", slot).by(
    counted((count) => `k${count >> 1}${count % 2 === 0 ? "a" : "A"}`),
  ),
];
