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
