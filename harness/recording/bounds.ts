/** The most that is kept of what the target sends, so that no target can make a report grow without bound. */
export const bounds = {
  /**
   * Findings of a requirement, and those of one cause: findings of other causes need room too. The first one of each
   * operation and cause is kept beyond that, up to as many again for each operation.
   */
  findings: 16,
  findingsOfCause: 4,
  /** Exchanges for each requirement that they show broken, besides the first one of each operation and cause. */
  exchanges: 4,
  /** Exchanges without a finding, for each operation, kind of intent and class of status. */
  samples: 3,
  /** Characters of a message, expected or actual. */
  text: 600,
  /** Characters of a case or an answer. */
  answer: 200,
  id: 300,
  body: 16_384,
  header: 2048,
  headers: 60,
} as const;

/** The text, or its beginning and a mark that there is more. */
export const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
