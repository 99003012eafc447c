const mebibyte = 2 ** 20;

/**
 * The most that a run reads, judges and keeps of what a server sends, so that no server decides how
 * long a run takes or how much memory it needs. A bound that no legal server is likely to reach is
 * no option.
 */
export const bounds = {
  /**
   * Levels of lists and objects in a JSON text. A real body has fewer than ten; a parser keeps
   * memory for each.
   */
  levels: 1000,
  /**
   * Commas, colons and opening brackets in a JSON text, each of which takes up to 60 bytes of
   * memory and a microsecond to judge. A list of 120,000 batches has two million.
   */
  marks: 2_000_000,
  /** Bytes of all bodies that are being read, decoded or searched at the same time. */
  bodiesInFlight: 256 * mebibyte,
  /** Bytes from which a body waits for its part of `bodiesInFlight`: no usual one does. */
  largeBody: mebibyte,
  /** Bodies from `largeBody` on that are compared with the next: most servers repeat their list. */
  rememberedBodies: 8,
  /**
   * Megabytes of JavaScript values in the thread of the suites: two large bodies, and all that a
   * usual run needs.
   */
  threadMemory: 700,
  /**
   * Elements of a list that fail before the types of no further one are judged: they rarely fail in
   * other ways.
   */
  failingElements: 300,
  /**
   * Violations of a requirement in one response: a reader needs a few, and each costs as much as a
   * small body.
   */
  violations: 8,
  /** Bytes of the body of a request that the reference server reads. */
  requestBody: 16 * mebibyte,
} as const;

const second = 1000;

/**
 * How long a run waits for what, in milliseconds. The interpretations and the documentation repeat
 * these numbers, and a test compares them.
 */
export const waits = {
  /** What a response may ask for at once, and what all responses may ask for in a row (INT-13). */
  throttled: 30 * second,
  throttledInARow: 60 * second,
  /** Where a response that throttles does not say how long, or says no time at all (INT-13). */
  throttledWithoutTime: second,
  shortestThrottled: 200,
  /**
   * The longest lock-out of a usual server (INT-43), and the pauses of a run that waits for the end
   * of one.
   */
  usualLockOut: 30 * second,
  lockOut: [second, 2 * second, 4 * second, 8 * second, 16 * second],
  /**
   * Waits after bad credentials in all, or one of them, from which on no variations are sent any
   * more (INT-17).
   */
  badCredentials: 32 * second,
  longLockOut: 8 * second,
  /** Until every node of a usual server knows what was created (INT-43). */
  usualLag: 2 * second,
  /**
   * Before a 502, 503 or 504 is tried again, and before another control while everything gets them
   * (INT-56).
   */
  gatewayError: [200, 800, 1600],
  gatewayBurst: [2 * second, 4 * second],
  /** Before a 409, 423 or 425 is tried again (INT-43). */
  conflict: [0, 200, 500],
  /**
   * Before a request that got no response is sent again: time to come back for a target that is
   * restarted (INT-04).
   */
  dropped: [100, second],
  /** While everything is refused with 403, as firewalls do for a while (INT-11). */
  block: [second, 2 * second, 4 * second],
  /**
   * A run with the default options starts no request after the first, and ends by the second
   * (INT-50).
   */
  lastRequest: 165 * second,
  wholeRun: 180 * second,
  /**
   * After its creation, a batch must be listed for as long: nobody states how long it stays there
   * (INT-29).
   */
  listed: 60 * second,
} as const;
