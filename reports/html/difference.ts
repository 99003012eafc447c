/** A text in three parts. The middle one differs from another text. */
export interface Difference {
  readonly before: string;
  readonly differing: string;
  readonly after: string;
}

/**
 * Where two texts differ, in whole words and numbers. If the texts have less than a quarter in common, marking the rest
 * would not help: `differing` is then empty.
 */
export function differences(one: string, other: string): readonly [Difference, Difference] {
  const [a, b] = [tokensOf(one), tokensOf(other)];
  const start = shared(a, b);
  const end = shared(a.slice(start).reverse(), b.slice(start).reverse());
  const common = [...a.slice(0, start), ...a.slice(a.length - end)].join("").length;
  const worth = common >= Math.min(one.length, other.length) / 4 || [one, other].every(isScalar);
  return [parts(a, start, end, worth), parts(b, start, end, worth)];
}

const tokensOf = (text: string): readonly string[] =>
  text.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[\p{L}\p{N}_]+|\s+|./gisu) ?? [];

function shared(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  let count = 0;
  while (count < length && a[count] === b[count]) count++;
  return count;
}

/** Limits a long differing part to its first word: the value, which other words often follow. */
function cut(differing: string, after: string): Pick<Difference, "differing" | "after"> {
  const end = differing.length > longestSide ? differing.search(/["']?[,;]?\s/) : -1;
  return end < 1 ? { differing, after } : { differing: differing.slice(0, end), after: differing.slice(end) + after };
}

const longestSide = 30;

const isScalar = (text: string): boolean => /^(?:".*"|-?\d[\d.eE+-]*)$/s.test(text);

const parts = (text: readonly string[], start: number, end: number, worth: boolean): Difference =>
  worth
    ? {
        before: text.slice(0, start).join(""),
        ...cut(text.slice(start, text.length - end).join(""), text.slice(text.length - end).join("")),
      }
    : { before: text.join(""), differing: "", after: "" };
