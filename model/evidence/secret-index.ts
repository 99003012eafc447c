import { catalogue } from "../../spec/catalogue.ts";
import { interpretations } from "../../spec/interpretations.ts";
import { operations } from "../../spec/operations.ts";
import type { Characters } from "./characters.ts";
import { createPieces, pieceLength, type KnownRun, type KnownText, type Pieces } from "./pieces.ts";
import { createReader, type Place } from "./readable.ts";

/** Secrets with fewer characters are not searched for: ordinary text contains them by chance. */
export const shortestSecret = 8;

/** Of a secret, so many characters are searched for. */
export const longestSecret = 8192;

/**
 * The pieces of secrets are kept in two parts of so many characters. When both are full, the older
 * one is forgotten. A secret has two to four readings, each of which counts.
 */
const mostInPart = 2 ** 19;

/** If this part of an id or more belongs to a secret, the id counts as the secret. */
const mostOfId = 0.8;

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
 * Finds secrets in texts, whole or cut, by their pieces. Letter case does not matter, nor do escapes
 * and separators between the characters. What stands in `own`, in the texts of fxconform or in an
 * id shows no secret. `onForgotten` is called for each secret that is no longer searched for.
 */
export function createSecretIndex(
  own: readonly string[] = [],
  onForgotten: (owner: number) => void = () => undefined,
) {
  const reader = createReader();
  const secrets = new Map<number, IndexedSecret>();
  let parts = [createPart()];
  const harmless = createPieces();
  const ids = createPieces();
  const addTo = (pieces: Pieces, text: string): void =>
    reader.visitPlain(text, (characters) => {
      if (characters.length >= shortestHarmless) pieces.add(characters, 0);
    });
  for (const text of [...literalsOfPaths, ...own]) addTo(harmless, text);

  const index = (owner: number, { text }: IndexedSecret): void => {
    const [part] = parts;
    part?.owners.add(owner);
    const bytes = Buffer.from(text.toWellFormed()).toString("latin1");
    for (const one of bytes === text ? [text] : [text, bytes])
      reader.visitPlain(one, (characters) => {
        if (characters.length >= shortestSecret) part?.pieces.add(characters, owner);
      });
  };

  /** Begins a new part if the newest is full, and forgets the oldest. */
  const makeRoom = (): void => {
    if ((parts[0]?.pieces.size() ?? 0) < mostInPart) return;
    const [newest = createPart(), oldest] = parts;
    parts = [createPart(), newest];
    for (const owner of oldest?.owners ?? []) {
      const secret = secrets.get(owner);
      if (secret === undefined) continue;
      if (secret.isIssued) {
        secrets.delete(owner);
        onForgotten(owner);
      } else index(owner, secret);
    }
  };

  /** The parts of a text that belong to a secret, from left to right, without overlaps. */
  const foundIn = (text: string): readonly FoundSecret[] => {
    if (secrets.size === 0 || text.length < shortestSecret) return [];
    const found: FoundSecret[] = [];
    reader.visitAll(text, (characters, placeOf) => {
      for (const { pieces } of parts)
        pieces.forEachRun(characters, (run) => {
          const { known, isWhole } = secretIn(run);
          const isIssued = secrets.get(known.owner)?.isIssued === true;
          const covers = [textsOfFxconform(), harmless, ...(isIssued ? [ids] : [])];
          const shown = isWhole && !isIssued ? [run] : shownIn(run, characters, isWhole, covers);
          for (const { first, last } of shown)
            found.push({ ...placeOf(first, last), owner: known.owner, isWhole });
        });
    });
    return found.length === 0 ? [] : joined(found).map((one) => toItsEnd(one, text));
  };

  /** A secret that is longer than what is searched for goes on where that ends. */
  const toItsEnd = (found: FoundSecret, text: string): FoundSecret => {
    const isCut = secrets.get(found.owner)?.text.length === longestSecret;
    if (!found.isWhole || !isCut) return found;
    let { to } = found;
    while (to < text.length && !/[\s"'<>\\,;&]/.test(text.charAt(to))) to += 1;
    return { ...found, to };
  };

  return {
    add: (text: string, owner: number, isIssued: boolean): void => {
      makeRoom();
      const secret = { text: text.slice(0, longestSecret), isIssued };
      secrets.set(owner, secret);
      index(owner, secret);
    },
    /** Adds a text that shows no secret. */
    addOwn: (text: string): void => addTo(harmless, text),
    /** Adds an id of a resource, which then shows no secret, unless most of it belongs to one. */
    addId: (id: string): void => {
      const secret = foundIn(id).reduce((sum, { from, to }) => sum + to - from, 0);
      if (secret > 0 && secret < mostOfId * id.length) addTo(ids, id);
    },
    foundIn,
    /** How many characters of a text are seen. */
    lengthOf: reader.lengthOf,
  };
}

/** Texts with fewer characters hide nothing: each text contains them by chance. */
const shortestHarmless = 4;

/** What stands in every path, between the ids. */
const literalsOfPaths = Object.values(operations).flatMap(({ path }) => path.split(/\{[^{}]*\}/));

let fxconform: Pieces | undefined;

/**
 * The pieces of the texts of fxconform. They are made at the first call, because most commands find
 * no part of a secret. A run finds some, so it makes them while it has nothing else to do.
 */
export function textsOfFxconform(): Pieces {
  if (fxconform === undefined) {
    const pieces = createPieces();
    const texts = JSON.stringify([operations, catalogue, interpretations]);
    createReader().visitPlain(texts, (characters) => pieces.add(characters, 0));
    fxconform = pieces;
  }
  return fxconform;
}

function createPart() {
  return { pieces: createPieces(), owners: new Set<number>() };
}

/** The longest secret that fits into a run is there as a whole. If none fits, a part of one is. */
function secretIn({ first, last, texts }: KnownRun) {
  const length = last - first + 1;
  let known: KnownText = { owner: -1, length: Infinity };
  let whole: KnownText | undefined;
  for (const text of texts) {
    if (text.length < known.length) known = text;
    if (text.length <= length && text.length > (whole?.length ?? 0)) whole = text;
  }
  return { known: whole ?? known, isWhole: whole !== undefined };
}

type Range = Pick<KnownRun, "first" | "last">;

/**
 * The parts of a run that show a secret: without the characters that belong to a harmless text, a
 * whole secret must have `shortestSecret` left, and any other the length of a piece in a row.
 */
function shownIn(
  { first, last }: Range,
  characters: Characters,
  isWhole: boolean,
  covers: readonly Pieces[],
): readonly Range[] {
  // A harmless piece may begin before the run, and end after it.
  const from = Math.max(0, first - pieceLength + 1);
  const around = { ...characters, length: Math.min(characters.length, last + pieceLength) };
  const marked = new Uint8Array(around.length - from);
  for (const cover of covers) cover.mark(around, from, marked);
  const open: Range[] = [];
  for (let at = first; at <= last; at++) {
    if (marked[at - from] === 1) continue;
    const before = open.at(-1);
    if (before?.last === at - 1) open[open.length - 1] = { first: before.first, last: at };
    else open.push({ first: at, last: at });
  }
  const lengthOf = (range: Range): number => range.last - range.first + 1;
  if (!isWhole) return open.filter((range) => lengthOf(range) >= pieceLength);
  const [begin] = open;
  const end = open.at(-1);
  const left = open.reduce((sum, range) => sum + lengthOf(range), 0);
  return begin === undefined || end === undefined || left < shortestSecret
    ? []
    : [{ first: begin.first, last: end.last }];
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
