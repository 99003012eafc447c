import { row, rowsWith, type Variant } from "./variant.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { newIds, sent } from "../change.ts";
import type { Kind } from "../policy.ts";

/** The JSON text of a body, with each number as `spell` writes it. `spell` must keep the value. */
function withNumbers(body: unknown, spell: (number: number) => string): string {
  return JSON.stringify(body).replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[-+.\dE]*/gi, (found) =>
    found.startsWith('"') ? found : spell(Number(found)),
  );
}

function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, member]) => [name, backwards(member)]));
}

function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function escaped(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.replaceAll(/\\u[0-9a-f]{4}|\\.|[a-z]/g, (found) =>
      found.startsWith("\\") ? found : unicode(found),
    ),
  );
}

function pointZero(number: number): string {
  return Number.isInteger(number) && number < 1e15 ? `${number}.0` : String(number);
}
function padded(number: number): string {
  return /^\d+\.\d+$/.test(String(number)) ? `${number}000` : String(number);
}

const capitalE = (number: number): string => number.toExponential().replace("e", "E");
const json = rowsWith({ slot: "spelling" });

function spelt(id: string, about: string, spell: (body: unknown) => string): Variant {
  return json(`json-${id}`, about).by(() => ({ serialise: (body) => spell(body) }));
}

export const spellingVariants: readonly Variant[] = [
  spelt("pretty", "JSON is indented.", (body) => JSON.stringify(body, undefined, 2)),
  spelt(
    "tabs",
    "JSON has tabs and line breaks.",
    (body) => `\r\n${JSON.stringify(body, undefined, "\t")}\r\n\t `,
  ),
  spelt("ascii", "Non-ASCII is escaped.", (body) =>
    JSON.stringify(body).replaceAll(/[^\x00-\x7f]/g, unicode),
  ),
  spelt("escaped", "Lower-case letters are escaped, in member names too.", (body) =>
    escaped(JSON.stringify(body)),
  ),
  spelt("slashes", "Slashes are escaped.", (body) => JSON.stringify(body).replaceAll("/", "\\/")),
  spelt("point-zero", "Whole numbers end with .0, integers too.", (body) =>
    withNumbers(body, pointZero),
  ),
  spelt("padded-decimals", "Decimals have trailing zeros.", (body) => withNumbers(body, padded)),
  spelt("exponents", "Numbers have exponents.", (body) =>
    withNumbers(body, (number) => number.toExponential()),
  ),
  spelt("exponents-capital", "Exponents have a capital E.", (body) => withNumbers(body, capitalE)),
  spelt("extra-twice", "A name stands twice among extra members.", (body) =>
    withExtra(body, '"more":1,"more":2'),
  ),
  spelt("extra-half-character", "An extra member has half a character.", (body) =>
    withExtra(body, String.raw`"more":"\ud800"`),
  ),
  spelt("backwards", "Members come in the opposite order.", (body) =>
    JSON.stringify(backwards(body)),
  ),
];

/**
 * The JSON text of an object, with `members` added to it as they are written. An empty object and
 * any other value get no members.
 */
function withExtra(body: unknown, members: string): string {
  const text = JSON.stringify(body);
  return text.startsWith("{") && text !== "{}" ? `${text.slice(0, -1)},${members}}` : text;
}

type Timed = "operation" | "batch";
const hour = 3_600_000;

function timed(id: string, about: string, spell: (time: string, kind: Timed) => string): Variant {
  return row(`time-${id}`, about, { slot: "times" }).by(() => ({
    timestamp: (time, kind) => spell(time.toISOString(), kind),
  }));
}

function wrongClock(
  id: string,
  about: string,
  ms: number,
  excludes: readonly string[] = [],
): Variant {
  return row(`clock-${id}`, about, excludes.length === 0 ? {} : { excludes }).by((base) => ({
    timestamp: (time, kind) => base.timestamp(new Date(time.getTime() + ms), kind),
  }));
}

/**
 * Returns a spelling of times: a batch gets the offset `offset`, which is `hours` hours from UTC,
 * and an operation keeps UTC.
 */
function ofBatch(hours: number, offset: string) {
  return (time: string, kind: Timed): string =>
    kind === "batch"
      ? new Date(Date.parse(time) + hours * hour).toISOString().replace("Z", offset)
      : time;
}

export const timeVariants: readonly Variant[] = [
  timed("whole-seconds", "Times have no fraction of a second.", (time) =>
    time.replace(/\.\d+/, ""),
  ),
  timed("nanoseconds", "Times have nine digits after the second.", (time) =>
    time.replace("Z", "000123Z"),
  ),
  timed("one-digit", "Times have one digit after the second.", (time) =>
    time.replace(/(\.\d)\d+/, "$1"),
  ),
  timed("plus-zero", "Times have the offset +00:00.", (time) => time.replace("Z", "+00:00")),
  timed("minus-zero", "Times have the offset -00:00.", (time) => time.replace("Z", "-00:00")),
  timed("of-batch-local", "Times of batches have the offset of São Paulo.", ofBatch(-3, "-03:00")),
  timed("of-batch-east", "Times of batches have the offset of Tashkent.", ofBatch(5, "+05:00")),
  timed("small-letters", "Times have a lower-case t and z.", (time) => time.toLowerCase()),
  wrongClock("ahead", "The clock is three hours ahead.", 3 * hour),
  wrongClock("behind", "The clock is a day behind.", -24 * hour, ["clock-ahead"]),
];

const ids = rowsWith({ slot: "ids" });
const reservedIds = rowsWith({ slot: "ids", excludes: ["proxy-plain-paths"] });

/**
 * A variant that makes ids from a counter for each kind of resource. `spell` must make a different
 * id of each count.
 */
function counted(
  rowOf: typeof ids,
  id: string,
  what: string,
  spell: (count: number, kind: Kind) => string,
): Variant {
  return rowOf(`ids-${id}`, `Ids ${what}.`).by(() => {
    const counts = { counterparty: 0, operation: 0, batch: 0 };
    return {
      newId: (kind) => {
        counts[kind] += 1;
        return spell(counts[kind], kind);
      },
    };
  });
}

const random = (bytes: number): string => randomBytes(bytes).toString("hex");

export const idVariants: readonly Variant[] = [
  counted(
    ids,
    "counted",
    "are counters as strings, so that an operation and a batch can have the same id",
    String,
  ),
  counted(
    ids,
    "prefixed",
    "begin with the kind of resource",
    (count, kind) => `${kind}_${count}_${random(4)}`,
  ),
  counted(ids, "long", "have 240 characters", (count) =>
    random(120).replace(/^.{8}/, String(count).padStart(8, "0")),
  ),
  counted(ids, "capitals", "are UUIDs in upper case", () => randomUUID().toUpperCase()),
  counted(
    ids,
    "differing-by-case",
    "may differ only in letter case",
    (n) => `k${n >> 1}${n % 2 === 0 ? "a" : "A"}`,
  ),
  counted(reservedIds, "slashes", "contain slashes", (count, kind) => `fx/${kind}/${count}`),
  counted(
    reservedIds,
    "queries",
    "contain question marks, hashes and ampersands",
    (count) => `?id=${count}&v#${count}`,
  ),
  counted(reservedIds, "percents", "contain percent signs", (count) => `100%25-%2F-${count}%`),
  counted(reservedIds, "spaces", "contain spaces and plus signs", (count) => `id ${count} + more`),
  counted(
    reservedIds,
    "unicode",
    "contain non-ASCII letters and an emoji",
    (count) => `operação-№${count}-🏦`,
  ),
  counted(
    reservedIds,
    "quotes",
    "contain quotes, backslashes and brackets",
    (count) => `"${count}'\\<[{|}]>;:@,`,
  ),
  counted(reservedIds, "base64", "are in base64 with +, / and padding", () =>
    randomBytes(16).toString("base64"),
  ),
  ids("ids-of-payees", "The first operation of a counterparty has its id.").by(
    newIds("operation", (call, next) => {
      const payee = String(sent(call)["counterparty_id"]);
      return call.store.operations.has(payee) ? next() : payee;
    }),
  ),
  counted(
    ids,
    "like-nothing",
    "begin with the words null, undefined, NaN and none",
    (count) => ["null", "undefined", "NaN", "none"][count - 1] ?? random(16),
  ),
];
