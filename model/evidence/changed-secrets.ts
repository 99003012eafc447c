import { catalogue } from "../../spec/catalogue.ts";
import { interpretations } from "../../spec/interpretations.ts";
import { operations } from "../../spec/operations.ts";
import { createRunSet, runLength, type FoundRun, type RunSet } from "./run-set.ts";
import { createReader, endOf, hasEscapes, type Characters } from "./readable.ts";

/** If this part of an id or more belongs to a secret, the id counts as the secret. */
const mostOfId = 0.8;

/**
 * Finds what is left of a secret that was cut or changed: runs, which are `runLength` characters in
 * a row of one of its spellings. Letter case does not matter. Separators and invisible characters
 * may stand between the characters of a run, and some characters may be escaped. A run that also
 * stands in the texts of fxconform, in `own` or in an id shows no secret.
 */
export function createChangedSecrets(own: readonly string[] = []) {
  const reader = createReader();
  const runs = createRunSet();
  const configured = runSetOf(own);
  const ids = createRunSet();

  const isSecret = (characters: Characters, at: number): boolean => {
    ofFxconform ??= runSetOf([JSON.stringify([operations, catalogue, interpretations])]);
    return ![ofFxconform, configured, ids].some((set) => set.has(characters, at));
  };

  /** Parts of the text that belong to a secret, from left to right, without overlaps. */
  const partsIn = (text: string): readonly SecretPart[] => {
    const { all, letters } = reader.read(text);
    const found = [all, letters].flatMap((characters) =>
      runs.foundIn(characters, isSecret).map((run) => partOf(run, characters, text)),
    );
    return found.length === 0 ? [] : joined(found);
  };

  return {
    /**
     * Adds a secret. Returns whether each text with the whole secret, in any spelling, contains a
     * run of the secret.
     */
    add: (secret: string, replacement: string): boolean => {
      for (const spelling of searchedFor(secret)) {
        const { all, letters } = reader.read(spelling, false);
        runs.add(all, replacement);
        if (letters.length < all.length) runs.add(letters, replacement);
      }
      return !hasEscapes(secret) && runs.foundIn(reader.read(secret).letters, always).length > 0;
    },
    /**
     * Adds an id of a resource. Its runs then show no secret, unless most of the id belongs to one.
     */
    addId: (id: string): void => {
      if (runs.isEmpty()) return;
      const secret = partsIn(id).reduce((sum, { from, to }) => sum + to - from, 0);
      if (secret > 0 && secret < mostOfId * id.length) addTo(ids, id);
    },
    /**
     * Whether a text holds a run of a secret, even if an id or a text of fxconform has the same
     * run.
     */
    mayBeIn: (text: string): boolean => {
      if (runs.isEmpty() || text.length < runLength) return false;
      const { all, letters } = reader.read(text);
      return runs.isIn(all) || runs.isIn(letters);
    },
    /** The text with each part that belongs to a secret replaced. */
    replacedIn: (text: string): string => {
      if (runs.isEmpty() || text.length < runLength) return text;
      const parts = partsIn(text);
      let replaced = "";
      let from = 0;
      for (const part of parts) {
        replaced += text.slice(from, part.from) + part.replacement;
        from = part.to;
      }
      return from === 0 ? text : replaced + text.slice(from);
    },
  };
}

/**
 * A part of a text that belongs to a secret: from the character at `from` to the one before `to`.
 */
interface SecretPart {
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

const always = (): boolean => true;

function partOf(
  { first, last, replacement }: FoundRun,
  { starts }: Characters,
  text: string,
): SecretPart {
  return {
    from: starts[first] ?? 0,
    to: endOf(text, starts[last] ?? 0),
    replacement,
  };
}

function joined(parts: readonly SecretPart[]): readonly SecretPart[] {
  const whole: SecretPart[] = [];
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const before = whole.at(-1);
    if (before === undefined || before.to <= part.from) whole.push(part);
    else whole[whole.length - 1] = { ...before, to: Math.max(before.to, part.to) };
  }
  return whole;
}

/**
 * The texts whose runs are searched for: the secret, its bytes in hex, and its bytes in base64 and
 * base64url, which depend on whether 0, 1 or 2 bytes of a group stand before the secret.
 */
function searchedFor(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const shifted = [0, 1, 2].map((shift) => base64After(bytes, shift));
  const inUrls = shifted.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [secret, bytes.toString("hex"), ...new Set([...shifted, ...inUrls])];
}

/** The base64 characters that `bytes` alone decide, if `shift` other bytes stand before `bytes`. */
function base64After(bytes: Buffer, shift: number): string {
  return Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

/**
 * The runs in the texts of fxconform. They are made when the first run of a secret is found,
 * because most commands find none.
 */
let ofFxconform: RunSet | undefined;

function runSetOf(texts: readonly string[]): RunSet {
  const set = createRunSet();
  for (const text of texts) addTo(set, text);
  return set;
}

function addTo(set: RunSet, text: string): void {
  const { all, letters } = createReader().read(text);
  set.add(all, "");
  set.add(letters, "");
}
