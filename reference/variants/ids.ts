import { randomBytes, randomUUID } from "node:crypto";
import type { Kind } from "../policy.ts";
import { rowsWith, type Variant } from "./variant.ts";

const row = rowsWith({ slot: "ids" });
const reserved = rowsWith({ slot: "ids", excludes: ["proxy-plain-paths"] });

/** A variant whose ids are made from a counter for each kind. `spell` must give each count another id. */
const counted = (rowOf: typeof row, id: string, what: string, spell: (count: number, kind: Kind) => string): Variant =>
  rowOf(`ids-${id}`, `Ids ${what}.`).by(() => {
    const counts = { counterparty: 0, operation: 0, batch: 0 };
    return { newId: (kind) => spell((counts[kind] += 1), kind) };
  });

const random = (bytes: number): string => randomBytes(bytes).toString("hex");

export const idVariants: readonly Variant[] = [
  counted(row, "counted", "are counters as strings, so that an operation and a batch can have the same id", String),
  counted(row, "prefixed", "begin with the kind of resource", (count, kind) => `${kind}_${count}_${random(4)}`),
  counted(row, "long", "have 240 characters", (count) => random(120).replace(/^.{8}/, String(count).padStart(8, "0"))),
  counted(row, "capitals", "are UUIDs in upper case", () => randomUUID().toUpperCase()),
  counted(row, "differing-by-case", "may differ only in letter case", (n) => `k${n >> 1}${n % 2 === 0 ? "a" : "A"}`),
  counted(reserved, "slashes", "contain slashes", (count, kind) => `fx/${kind}/${count}`),
  counted(reserved, "queries", "contain question marks, hashes and ampersands", (count) => `?id=${count}&v#${count}`),
  counted(reserved, "percents", "contain percent signs", (count) => `100%25-%2F-${count}%`),
  counted(reserved, "spaces", "contain spaces and plus signs", (count) => `id ${count} + more`),
  counted(reserved, "unicode", "contain non-ASCII letters and an emoji", (count) => `operação-№${count}-🏦`),
  counted(reserved, "quotes", "contain quotes, backslashes and brackets", (count) => `"${count}'\\<[{|}]>;:@,`),
  counted(reserved, "base64", "are in base64 with +, / and padding", () => randomBytes(16).toString("base64")),
];
