/** A text in three parts, of which the middle one differs from another text. */
export interface Difference {
  readonly before: string;
  readonly differing: string;
  readonly after: string;
}

/**
 * Compares two texts in whole words and numbers. What differs is one part of each text, so that it
 * fits on a line. `differing` is empty if the texts begin and end differently, unless each text is
 * a single word.
 */
export function differences(one: string, other: string): readonly [Difference, Difference] {
  const a = tokensOf(one);
  const b = tokensOf(other);
  const start = shared(a, b);
  const end = shared(a.slice(start).reverse(), b.slice(start).reverse());
  const isMarked = start + end > 0 || (a.length === 1 && b.length === 1);
  const parts = (text: readonly string[]): Difference => {
    const [from, to] = isMarked ? [start, text.length - end] : [0, 0];
    const joined = (first: number, last?: number) => text.slice(first, last).join("");
    return { before: joined(0, from), differing: joined(from, to), after: joined(to) };
  };
  return [parts(a), parts(b)];
}

function tokensOf(text: string): readonly string[] {
  return text.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[\p{L}\p{N}_]+|\s+|./gisu) ?? [];
}

/** How many tokens are the same at the beginning of both lists. */
function shared(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((token, at) => token !== b[at]);
  return differs < 0 ? a.length : differs;
}
