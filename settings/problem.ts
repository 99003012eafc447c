import { shortestSecret } from "../model/target.ts";

export interface Problem {
  /** Where the problem is: a flag, a variable, or a key and its file. */
  readonly where: string;
  /** What is wrong, in words that follow the place: `must be a whole number from 1 to 256`. */
  readonly what: string;
  /** The value that was found there, as `quoted` or `describedValue` shows it. Absent for secrets. */
  readonly found?: string | undefined;
  /** What to do about the problem, as a sentence. */
  readonly advice?: string | undefined;
}

/**
 * Thrown to end a command with exit code 2 before anything is sent. It has all problems at once.
 */
export class UsageError extends Error {
  readonly problems: readonly Problem[];
  /** What may explain the problems, but is none itself. */
  readonly warnings: readonly string[];
  constructor(problems: readonly Problem[], warnings: readonly string[] = []) {
    super(problems.map(problemText).join("\n"));
    this.name = "UsageError";
    this.problems = problems;
    this.warnings = warnings;
  }
}

export function wrong(where: string, what: string, advice?: string, found?: string): UsageError {
  return new UsageError([{ where, what, found, advice }]);
}

/** Collects the problems of several readings, to report them together. */
export function problemCollector() {
  const problems: Problem[] = [];
  return {
    problems: problems as readonly Problem[],
    /**
     * Returns what `reading` returns. If `reading` throws `UsageError`, keeps its problems and
     * returns undefined.
     */
    read: async <T>(reading: () => T | Promise<T>): Promise<T | undefined> => {
      try {
        return await reading();
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        problems.push(...error.problems);
        return undefined;
      }
    },
    add: (more: readonly Problem[]): void => void problems.push(...more),
    throwIfAny: (warnings?: readonly string[]): void => {
      if (problems.length > 0) throw new UsageError(problems, warnings);
    },
  };
}

export type ProblemCollector = ReturnType<typeof problemCollector>;

/**
 * A value that was found, as a text: a text as it is, a list of texts with commas, everything else
 * as JSON. Undefined for an undefined value.
 */
export function shown(value: unknown): string | undefined {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * A word of the user as messages show it: a long one may be a key that stands in a wrong place, so
 * only its beginning and its length are shown. Every message that quotes the user goes through it.
 */
export function masked(text: string): string {
  return withoutCredentials(text).replaceAll(
    longWord,
    (word) => `${word.slice(0, 3)}… (${word.length} characters)`,
  );
}

const longWord = /\S{16,}/g;

/** A value that the user typed, in quotes. */
export function quoted(value: unknown): string | undefined {
  const text = shown(value);
  return text === undefined ? undefined : JSON.stringify(shortened(masked(text), 80));
}

/**
 * What a value in a file is. The file may be another one than the user meant, so only values that
 * are too short for a secret are quoted.
 */
export function describedValue(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  if (text === undefined) return undefined;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return text.length < shortestSecret ? text : `a ${typeof value}`;
  return value.length < shortestSecret ? text : `a text of ${value.length} characters`;
}

/**
 * A problem as a sentence: `--runs: must be a whole number from 1 to 1000000, found "0". …` The
 * place is shortened, and shown without credentials.
 */
export function problemText({ where, what, found, advice }: Problem): string {
  const actual = found === undefined ? "" : `, found ${found}`;
  const place = shortened(withoutCredentials(where), longestPlace);
  return `${place}: ${what}${actual}.${advice === undefined ? "" : ` ${advice}`}`;
}

/**
 * The most characters of a place in a message. A place can contain a key of a configuration file,
 * and the path of a file.
 */
const longestPlace = 300;

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * A text, with user, password and query removed from its addresses, because these must not reach
 * the console.
 */
function withoutCredentials(text: string): string {
  return text.replaceAll(/\S+/g, withoutUser).replace(/(:\/\/[^\s?"]*)\?[^\s"]*/g, "$1?…");
}

/** A word without what stands before the last @ of an address in it. */
function withoutUser(word: string, at: number): string {
  const end = word.lastIndexOf("@");
  const begin = word.indexOf("//");
  if (begin >= 0 && begin < end) return `${word.slice(0, begin)}//…${word.slice(end)}`;
  const [user = ""] = word.split("@", 1);
  return at === 0 && user.length < word.length && /^[^/:]*:/.test(user)
    ? `…${word.slice(user.length)}`
    : word;
}

/**
 * The word that a misspelt or shortened one most likely means. Undefined if no candidate is near.
 * Letter case does not matter.
 */
export function nearest<W extends string>(word: string, candidates: readonly W[]): W | undefined {
  const wanted = word.toLowerCase();
  const bound = Math.max(1, Math.floor(wanted.length / 3));
  const [best] = candidates
    .filter(({ length }) => Math.abs(length - wanted.length) <= bound)
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance);
  const begun = candidates.find(
    (candidate) => wanted.length > 2 && candidate.toLowerCase().startsWith(wanted),
  );
  return best?.candidate ?? begun;
}

export function suggestion(word: string, candidates: readonly string[]): string | undefined {
  const near = nearest(word, candidates);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

/** The number of edits between two words (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...a].entries()) {
    const row = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const [left = 0, above = 0, before = 0] = [row[j], last[j + 1], last[j]];
      row.push(Math.min(left + 1, above + 1, before + (letter === other ? 0 : 1)));
    }
    last = row;
  }
  return last[b.length] ?? 0;
}
