import { catalogue } from "../../spec/catalogue.ts";
import { prose } from "../../spec/prose.ts";
import { operations } from "../../spec/operations.ts";
import { shortestSecret } from "../target.ts";
import { decodedReadingsOf, readingsOf, type Place } from "./reading.ts";

/** Of a secret, so many characters are searched for. */
export const longestSecret = 8192;
/** So many characters in a row of a secret show it. */
const shortestPart = 12;
/** If this part of an id or more belongs to a secret, the id counts as the secret. */
const mostOfId = 0.8;
/** The most characters of issued secrets that are searched for. Half of them, the older, are then forgotten. */
const mostIssued = 2 ** 18;
const mostJudged = 1000;

/** A part of a text that belongs to a secret. */
export interface FoundSecret extends Place {
  /** The number that was given to the secret. */
  readonly owner: number;
  /** Whether the secret is there as a whole. */
  readonly isWhole: boolean;
}

interface IndexedSecret {
  readonly text: string;
  /**
   * Whether a server can issue it, as often as it likes. Such a secret may be forgotten, and it does
   * not hide what stands in ids or is known to everybody.
   */
  readonly isIssued: boolean;
}

/**
 * Finds secrets in texts, whole or cut. Letter case does not matter, nor do escapes and separators
 * between the characters. What stands in `own`, in the texts of fxconform or in an id shows no
 * secret. `onForgotten` is called for each secret that is no longer searched for.
 */
export function createSecretIndex(own: readonly string[], onForgotten: (owner: number) => void) {
  const secrets = new Map<number, IndexedSecret>();
  let grams = createGrams();
  let issued = 0;
  const harmless = readTexts([...literalsOfPaths, ...own]);
  const ids: string[] = [];
  /** What runs of characters show, as a server often repeats them. */
  const judged = new Map<string, readonly Place[]>();
  const shownBy = (run: string, isWhole: boolean, isIssued: boolean): readonly Place[] => {
    if (isWhole && !isIssued) return [{ from: 0, to: run.length }];
    const key = `${isWhole} ${isIssued} ${run}`;
    const shown =
      judged.get(key) ?? shownIn(run, isWhole, isIssued ? [...harmless, ...ids] : harmless);
    if (judged.size > mostJudged) judged.clear();
    judged.set(key, shown);
    return shown;
  };
  const index = (owner: number, { text, isIssued }: IndexedSecret): void => {
    for (const one of new Set([...readIn(text), ...codedIn(text)]))
      if (one.length >= shortestSecret) grams.add({ text: one, owner, isIssued });
  };
  const forgetOlder = (): void => {
    for (const [owner, { text, isIssued }] of secrets) {
      if (issued <= mostIssued / 2) break;
      if (!isIssued) continue;
      issued -= text.length;
      secrets.delete(owner);
      onForgotten(owner);
    }
    grams = createGrams();
    for (const [owner, secret] of secrets) index(owner, secret);
  };
  /** The parts of a text that belong to a secret, from left to right, without overlaps. */
  const foundIn = (text: string): readonly FoundSecret[] => {
    if (secrets.size === 0 || text.length < shortestSecret) return [];
    const found: FoundSecret[] = [];
    for (const reading of decodedReadingsOf(text))
      grams.forEachRun(reading.text, ({ first, last, owner, isIssued, isWhole }) => {
        for (const { from, to } of shownBy(reading.text.slice(first, last + 1), isWhole, isIssued))
          found.push({ ...reading.placeOf(first + from, first + to - 1), owner, isWhole });
      });
    return found.length === 0 ? [] : joined(found).map((one) => toItsEnd(one, text));
  };
  /** A secret that is longer than what is searched for goes on where that ends. */
  const toItsEnd = (found: FoundSecret, text: string): FoundSecret => {
    const isCut = secrets.get(found.owner)?.text.length === longestSecret;
    if (!found.isWhole || !isCut) return found;
    const rest = text.slice(found.to).search(/[\s"'<>\\,;&]|$/);
    return { ...found, to: found.to + rest };
  };
  return {
    add: (text: string, owner: number, isIssued: boolean): void => {
      const secret = { text: text.slice(0, longestSecret), isIssued };
      if (isIssued) issued += secret.text.length;
      secrets.set(owner, secret);
      if (issued > mostIssued) forgetOlder();
      else index(owner, secret);
    },
    /** Adds a text that shows no secret. */
    addOwn: (text: string): void => {
      harmless.push(...readTexts([text]));
      judged.clear();
    },
    /** Adds an id of a resource, which then shows no secret, unless most of it belongs to one. */
    addId: (id: string): void => {
      const secret = foundIn(id).reduce((sum, { from, to }) => sum + to - from, 0);
      if (secret === 0 || secret >= mostOfId * id.length) return;
      ids.push(...readTexts([id]));
      judged.clear();
    },
    foundIn,
  };
}

/** A secret as it is read, and as it is where its bytes in UTF-8 are taken for Latin-1. */
function readIn(secret: string): readonly string[] {
  const misread = Buffer.from(secret.toWellFormed()).toString("latin1");
  return [...new Set([secret, misread])].flatMap((one) => readingsOf(one).map(({ text }) => text));
}

/**
 * The letters and digits of a secret in base64 and in hex; if it is in hex, as a UUID is, those of
 * its bytes in base64, and if it is in base64, those of its bytes in hex.
 */
function codedIn(secret: string): readonly string[] {
  const bytes = Buffer.from(secret.toWellFormed());
  const digits = secret.replaceAll("-", "");
  const isHex = /^([\da-f]{2}){8,}$/i.test(digits);
  const isBase64 = /^[A-Za-z\d+/_-]{12,}={0,2}$/.test(secret);
  return [
    ...inBase64(bytes),
    bytes.toString("hex"),
    Buffer.from(secret, "utf16le").toString("hex"),
    ...(isHex ? inBase64(Buffer.from(digits, "hex")) : []),
    ...(isBase64 ? [Buffer.from(secret, "base64").toString("hex")] : []),
  ];
}

/** Bytes in base64, after as many other bytes as change their spelling. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // The first and the last character of base64 may hold bits of other bytes, too.
    const from = Math.ceil((before * 8) / 6);
    const text = whole.toString("base64").slice(from, Math.floor((whole.length * 8) / 6));
    return text.toLowerCase().replaceAll(/[+/]/g, "");
  });
}

interface KnownText extends IndexedSecret {
  readonly owner: number;
}

interface KnownRun extends Omit<KnownText, "text"> {
  readonly first: number;
  readonly last: number;
  readonly isWhole: boolean;
}

/** So many characters are looked up, at every eighth place of a known text: each part of it has some. */
const gram = 4;
const apart = 8;
/** The most places that are looked at for one gram, as a server could issue the same again and again. */
const mostPlaces = 64;
const mostOfText = 4;
/** The size of the table of grams. Grams that share a place in it are compared one by one. */
const slots = 2 ** 18;

/** Known texts, by some of their grams. */
function createGrams() {
  const known: KnownText[] = [];
  /** For each gram, its latest entry: the number of the entry before it, that of its text, its place. */
  const latest = new Uint32Array(slots);
  let entries = new Uint32Array(3 * 2 ** 10);
  let last = 0;
  const numberOf = (before: number, code: number): number => ((before << 7) ^ code) & 0xfff_ffff;
  const slotOf = (number: number): number => Math.imul(number, 0x2c_1b_3c_6d) >>> 14;
  /** How often a text that is added has each gram. */
  const times = new Uint8Array(slots);
  const enter = (slot: number, at: number): void => {
    last += 1;
    if (last * 3 + 3 > entries.length) {
      const more = new Uint32Array(entries.length * 2);
      more.set(entries);
      entries = more;
    }
    entries.set([latest[slot] ?? 0, known.length - 1, at], last * 3);
    latest[slot] = last;
  };
  return {
    add: (secret: KnownText): void => {
      const { text } = secret;
      known.push(secret);
      const isRepeated = allEqual(text);
      const found: (readonly [slot: number, at: number])[] = [];
      for (let at = 0; at < text.length - gram + 1; at = nextPlace(at, text.length)) {
        if (isRepeated ? at > 0 : allEqual(text.slice(at, at + gram))) continue;
        let number = 0;
        for (let one = at; one < at + gram; one++) number = numberOf(number, text.charCodeAt(one));
        const slot = slotOf(number);
        // Of a text that repeats itself, the first places show as much as all.
        const before = times[slot] ?? 0;
        if (before >= mostOfText) continue;
        times[slot] = before + 1;
        found.push([slot, at]);
      }
      // The latest entry of a slot is looked at first: of a text, that of its first place.
      for (const [slot, at] of found.reverse()) {
        enter(slot, at);
        times[slot] = 0;
      }
    },
    /**
     * Calls `visit` for each longest run of characters that a known text has, too. Of secrets that
     * have a part in common, one shows it: what is inside of it in another one shows nothing more.
     */
    forEachRun: (text: string, visit: (run: KnownRun) => void): void => {
      const ends = new Map<KnownText, number>();
      /** The last known text that was found as a whole: what is inside it shows nothing more. */
      let whole = nowhere;
      const parts = { issued: nowhere, own: nowhere };
      let number = 0;
      for (let index = 0; index < text.length; index++) {
        number = numberOf(number, text.charCodeAt(index));
        const start = index - gram + 1;
        let entry = latest[slotOf(number)] ?? 0;
        for (let seen = 0; entry > 0 && seen < mostPlaces; seen += 1) {
          const one = known[entries[entry * 3 + 1] ?? 0] as KnownText;
          const at = entries[entry * 3 + 2] ?? 0;
          entry = entries[entry * 3] ?? 0;
          const from = start - at;
          if (isInside({ from, to: from + one.text.length }, whole)) continue;
          const end = ends.get(one) ?? 0;
          const run = start < end ? undefined : runAt(text, { from: end, to: start }, one, at);
          if (run === undefined) continue;
          ends.set(one, run.last + 1);
          const place = { from: run.first, to: run.last + 1 };
          const kind = run.isIssued ? "issued" : "own";
          if (run.isWhole) whole = place;
          else if (isInside(place, parts[kind])) continue;
          else parts[kind] = place;
          visit(run);
        }
      }
    },
  };
}

const nowhere: Place = { from: 0, to: 0 };

const isInside = (one: Place, other: Place): boolean =>
  one.from >= other.from && one.to <= other.to;

/** The place of the next gram of a text: every eighth, and the last. */
function nextPlace(at: number, length: number): number {
  const last = length - gram;
  return at < last && at + apart > last ? last : at + apart;
}

/**
 * The run, from `from` on, around the place `to` of a text that a known text has around the place
 * `at`. Undefined if it shows nothing.
 */
function runAt(
  text: string,
  { from, to: start }: Place,
  known: KnownText,
  at: number,
): KnownRun | undefined {
  const other = known.text;
  let before = 0;
  while (
    start > from + before &&
    at > before &&
    same(text, start - before - 1, other, at - before - 1)
  )
    before += 1;
  let after = 0;
  while (at + after < other.length && same(text, start + after, other, at + after)) after += 1;
  const [first, last] = [start - before, start + after - 1];
  const length = last - first + 1;
  const isWhole = length === other.length;
  if (!isWhole && (length < shortestPart || allEqual(text.slice(first, last + 1))))
    return undefined;
  return { first, last, owner: known.owner, isIssued: known.isIssued, isWhole };
}

const same = (one: string, at: number, other: string, place: number): boolean =>
  one.charCodeAt(at) === other.charCodeAt(place);

function allEqual(text: string): boolean {
  for (let at = 1; at < text.length; at += 1) if (!same(text, at, text, 0)) return false;
  return true;
}

/** Texts with fewer characters hide nothing: each text contains them by chance. */
const shortestHarmless = 4;

function readTexts(texts: readonly string[]): string[] {
  return texts
    .flatMap((one) => readingsOf(one).map(({ text }) => text))
    .filter(({ length }) => length >= shortestHarmless);
}

/** What stands in every path, between the ids. */
const literalsOfPaths = Object.values(operations).flatMap(({ path }) => path.split(/\{[^{}]*\}/));

let fxconform: readonly string[] | undefined;

/** The texts of fxconform. They are read at the first call, because most commands find no part of a secret. */
function textsOfFxconform(): readonly string[] {
  fxconform ??= readTexts([JSON.stringify([operations, catalogue, prose.interpretations])]);
  return fxconform;
}

/**
 * The parts of a run that show a secret: without what stands in harmless texts, a whole secret must
 * have `shortestSecret` characters left, and any other `shortestPart` in a row.
 */
function shownIn(run: string, isWhole: boolean, harmless: readonly string[]): readonly Place[] {
  const isHarmless = (part: string): boolean =>
    [...harmless, ...textsOfFxconform()].some((text) => text.includes(part));
  const open = withoutTexts({ from: 0, to: run.length }, run, harmless).filter(
    ({ from, to }) => !isHarmless(run.slice(from, to)),
  );
  if (!isWhole) return open.filter(({ from, to }) => to - from >= shortestPart);
  const left = open.reduce((sum, { from, to }) => sum + to - from, 0);
  const end = open.at(-1);
  return open[0] === undefined || end === undefined || left < shortestSecret
    ? []
    : [{ from: open[0].from, to: end.to }];
}

/** The parts of a text around those that are harmless. */
function withoutTexts(
  { from, to }: Place,
  text: string,
  harmless: readonly string[],
): readonly Place[] {
  const part = text.slice(from, to);
  const inside = harmless.filter((one) => part.includes(one));
  const [longest] = inside.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return from < to ? [{ from, to }] : [];
  const at = from + part.indexOf(longest);
  return [
    ...withoutTexts({ from, to: at }, text, harmless),
    ...withoutTexts({ from: at + longest.length, to }, text, harmless),
  ];
}

/** Parts that overlap become one; of these, the longest whole secret names it, or the first part. */
function joined(parts: readonly FoundSecret[]): readonly FoundSecret[] {
  const all: FoundSecret[] = [];
  const lengthOf = ({ from, to, isWhole }: FoundSecret): number => (isWhole ? to - from : 0);
  let named: FoundSecret | undefined;
  for (const part of parts.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const before = all.at(-1);
    if (before === undefined || named === undefined || before.to <= part.from) {
      named = part;
      all.push(part);
      continue;
    }
    if (lengthOf(part) > lengthOf(named)) named = part;
    all[all.length - 1] = { ...named, from: before.from, to: Math.max(before.to, part.to) };
  }
  return all;
}
