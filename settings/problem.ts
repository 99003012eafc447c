export interface Problem {
  /** Where the problem is: a flag, a variable, or a key and its file. */
  readonly where: string;
  /** What is wrong, in words that follow the place: `must be a whole number from 1 to 256`. */
  readonly what: string;
  /** The value that was found there. Absent for secrets. */
  readonly found?: string | undefined;
  /** What to do about the problem, as a sentence. */
  readonly advice?: string | undefined;
}

/**
 * Thrown to end a command with exit code 2 before anything is sent. It has all problems at once.
 */
export class UsageError extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(problems.map(problemText).join("\n"));
    this.name = "UsageError";
    this.problems = problems;
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
    throwIfAny: (): void => {
      if (problems.length > 0) throw new UsageError(problems);
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
 * A problem as a sentence: `--runs: must be a whole number from 1 to 1000000, found "0". …` The
 * place and the value are shortened, and shown without credentials.
 */
export function problemText({ where, what, found, advice }: Problem): string {
  const actual =
    found === undefined
      ? ""
      : `, found ${JSON.stringify(shortened(withoutCredentials(found), 80))}`;
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
