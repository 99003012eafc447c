import { randomBytes, randomUUID } from "node:crypto";
import type { Change, Kind } from "../policy.ts";
import type { Variant } from "./variant.ts";
import { row } from "./row.ts";

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
  row(
    "ids-counted",
    "Ids are numbers in strings, counted for each kind, so that kinds share them.",
    counted(String),
    slot,
  ),
  row(
    "ids-prefixed",
    "Ids begin with their kind.",
    counted((count, kind) => `${kind}_${count}_${randomBytes(4).toString("hex")}`),
    slot,
  ),
  row(
    "ids-slashes",
    "Ids have slashes in them.",
    counted((count, kind) => `fx/${kind}/${count}`),
    reserved,
  ),
  row(
    "ids-queries",
    "Ids have question marks, hashes and ampersands in them.",
    counted((count) => `?id=${count}&v#${count}`),
    reserved,
  ),
  row(
    "ids-percents",
    "Ids have percent signs in them.",
    counted((count) => `100%25-%2F-${count}%`),
    reserved,
  ),
  row(
    "ids-spaces",
    "Ids have spaces and plus signs in them.",
    counted((count) => `id ${count} + more`),
    reserved,
  ),
  row(
    "ids-unicode",
    "Ids have letters beyond ASCII and an emoji in them.",
    counted((count) => `operação-№${count}-🏦`),
    reserved,
  ),
  row(
    "ids-quotes",
    "Ids have quotes, backslashes and brackets in them.",
    counted((count) => `"${count}'\\<[{|}]>;:@,`),
    reserved,
  ),
  row(
    "ids-long",
    "Ids have 240 characters.",
    counted((count) => randomBytes(120).toString("hex").replace(/^.{8}/, String(count).padStart(8, "0"))),
    slot,
  ),
  row(
    "ids-base64",
    "Ids are in base64 with its signs and padding.",
    () => ({ newId: () => randomBytes(16).toString("base64") }),
    reserved,
  ),
  row("ids-capitals", "Ids are UUIDs in capitals.", () => ({ newId: () => randomUUID().toUpperCase() }), slot),
  row(
    "ids-differing-by-case",
    "Ids differ by the case of a letter.",
    counted((count) => `k${count >> 1}${count % 2 === 0 ? "a" : "A"}`),
    slot,
  ),
];
