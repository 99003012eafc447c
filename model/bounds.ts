const mebibyte = 2 ** 20;

/**
 * The most that a run reads, judges and keeps of what a server sends. The bounds keep a server from
 * deciding how long a run takes or how much memory it needs. A bound that no legal server is likely
 * to reach is not an option.
 */
export const bounds = {
  /**
   * How deep lists and objects may be nested in a JSON text. A real body has fewer than ten levels;
   * a parser needs memory for each.
   */
  levels: 1000,
  /**
   * The most commas, colons and opening brackets in a JSON text. Each of them takes up to 60 bytes
   * of memory and a microsecond to judge. A list of 120,000 batches has two million.
   */
  marks: 2_000_000,
  /**
   * Of bodies of at least this many bytes, one at a time is read, decoded and judged. No usual body
   * is so large.
   */
  largeBody: mebibyte,
  /**
   * The most megabytes of JavaScript values in the thread of the suites: enough for two large
   * bodies and a usual run.
   */
  threadMemory: 700,
  /**
   * After so many failing elements of a list, the types of further elements are not judged: they
   * rarely fail in other ways.
   */
  failingElements: 300,
  /**
   * The most violations of one requirement in one response. A reader needs a few, and each costs as
   * much as a small body.
   */
  violations: 8,
  /** The most bytes of the body of a request that the reference server reads. */
  requestBody: 16 * mebibyte,
} as const;

const second = 1000;

/**
 * How long a run waits, in milliseconds. A list has the pause before the first repetition, before
 * the second, and so on. Interpretations and pages of the documentation repeat some of these
 * numbers, and a test compares them.
 */
export const waits = {
  /**
   * The longest time that one response may ask for, and that all responses may ask for in a row
   * (INT-13).
   */
  throttled: 30 * second,
  throttledInARow: 60 * second,
  /**
   * The wait if a response that throttles names no time, and the shortest wait in any case
   * (INT-13).
   */
  throttledWithoutTime: second,
  shortestThrottled: 200,
  /**
   * The longest lock-out of a usual server (INT-43), and the pauses while a run waits for the end
   * of a lock-out.
   */
  usualLockOut: 30 * second,
  lockOut: [second, 2 * second, 4 * second, 8 * second, 16 * second],
  /** No more variations of bad credentials are sent after waits of this length in all (INT-17). */
  badCredentials: 32 * second,
  /** The time until every node of a usual server knows a new resource (INT-43). */
  usualLag: 2 * second,
  /**
   * Pauses before a 502, 503 or 504 is tried again, and before another control while every request
   * gets such a status (INT-56).
   */
  gatewayError: [200, 800, 1600],
  gatewayBurst: [2 * second, 4 * second],
  /** Pauses before a request that got 409, 423 or 425 is tried again (INT-43). */
  conflict: [0, 200, 500],
  /**
   * Pauses before a request that got no response is sent again, so that a restarted target has time
   * to come back (INT-04).
   */
  dropped: [100, second],
  /** Pauses while every request is refused with 403, as some firewalls do for a while (INT-11). */
  block: [second, 2 * second, 4 * second],
  /**
   * How long after its start a run with the default options may send requests, and when it has
   * ended (INT-50).
   */
  lastRequest: 165 * second,
  wholeRun: 180 * second,
  /**
   * How long after its creation a batch is expected in the list. The specification does not say how
   * long a batch stays there (INT-29).
   */
  listed: 60 * second,
} as const;

/**
 * The most that is kept of what the target sends, in characters or in numbers, so that no target
 * can make a report grow without bound.
 */
export const mostKept = {
  /**
   * Findings of a requirement, and of a cause. Once a requirement has this many, only the first
   * finding of each operation and cause is kept.
   */
  findings: 16,
  findingsOfCause: 4,
  /** Exchanges without a finding, for each operation, kind of intent and class of status. */
  samples: 3,
  text: 600,
  answer: 200,
  id: 300,
  body: 16_384,
  header: 2048,
  headers: 60,
} as const;

/** The first characters of a text, with … if it is cut. */
export function cutTo(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
