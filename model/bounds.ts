const mebibyte = 2 ** 20;

/**
 * The most that a run reads, judges and keeps of what a server sends, so that no server decides how long a run takes or how
 * much memory it needs. A bound that no legal server is likely to reach is no option.
 */
export const bounds = {
  /** Levels of lists and objects in a JSON text. A real body has fewer than ten; a parser keeps memory for each. */
  levels: 1000,
  /**
   * Commas, colons and opening brackets in a JSON text, each of which takes up to 60 bytes of memory and a microsecond to
   * judge. A list of 120,000 batches has two million.
   */
  marks: 2_000_000,
  /** Bytes of all bodies that are being read, decoded or searched at the same time. */
  bodiesInFlight: 256 * mebibyte,
  /** Bytes from which a body waits for its part of `bodiesInFlight`: no usual one does. */
  largeBody: mebibyte,
  /** Bodies from `largeBody` on that are compared with the next: most servers repeat their list. */
  rememberedBodies: 8,
  /** Megabytes of JavaScript values in the thread of the suites: two large bodies, and all that a usual run needs. */
  threadMemory: 700,
  /** Elements of a list that fail before the types of no further one are judged: they rarely fail in other ways. */
  failingElements: 300,
  /** Violations of a requirement in one response: a reader needs a few, and each costs as much as a small body. */
  violations: 8,
  /** Bytes of the body of a request that the reference server reads. */
  requestBody: 16 * mebibyte,
} as const;
