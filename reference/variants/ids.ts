import { randomBytes, randomUUID } from "node:crypto";
import type { Change, Kind } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** Ids made of a counter for each kind; no two of a kind are alike. */
const counted =
  (spell: (count: number, kind: Kind) => string): Change =>
  () => {
    const counts = { counterparty: 0, operation: 0, batch: 0 };
    return { newId: (kind) => spell((counts[kind] += 1), kind) };
  };

const slot = { slot: "ids" } as const;
const reserved = { slot: "ids", excludes: ["proxy-plain-paths"] } as const;

/** Ids of other looks. They are strings of any characters. */
export const idVariants: readonly Variant[] = [
  row("ids-counted", "Ids are numbers in strings, counted for each kind, so that kinds share them.", slot).by(
    counted(String),
  ),
  row("ids-prefixed", "Ids begin with their kind.", slot).by(
    counted((count, kind) => `${kind}_${count}_${randomBytes(4).toString("hex")}`),
  ),
  row("ids-slashes", "Ids have slashes in them.", reserved).by(counted((count, kind) => `fx/${kind}/${count}`)),
  row("ids-queries", "Ids have question marks, hashes and ampersands in them.", reserved).by(
    counted((count) => `?id=${count}&v#${count}`),
  ),
  row("ids-percents", "Ids have percent signs in them.", reserved).by(counted((count) => `100%25-%2F-${count}%`)),
  row("ids-spaces", "Ids have spaces and plus signs in them.", reserved).by(counted((count) => `id ${count} + more`)),
  row("ids-unicode", "Ids have letters beyond ASCII and an emoji in them.", reserved).by(
    counted((count) => `operação-№${count}-🏦`),
  ),
  row("ids-quotes", "Ids have quotes, backslashes and brackets in them.", reserved).by(
    counted((count) => `"${count}'\\<[{|}]>;:@,`),
  ),
  row("ids-long", "Ids have 240 characters.", slot).by(
    counted((count) => randomBytes(120).toString("hex").replace(/^.{8}/, String(count).padStart(8, "0"))),
  ),
  row("ids-base64", "Ids are in base64 with its signs and padding.", reserved).by(() => ({
    newId: () => randomBytes(16).toString("base64"),
  })),
  row("ids-capitals", "Ids are UUIDs in capitals.", slot).by(() => ({ newId: () => randomUUID().toUpperCase() })),
  row("ids-differing-by-case", "Ids differ by the case of a letter.", slot).by(
    counted((count) => `k${count >> 1}${count % 2 === 0 ? "a" : "A"}`),
  ),
];
