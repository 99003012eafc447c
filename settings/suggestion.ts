/**
 * The word that a misspelt or shortened one most likely means. Undefined if no candidate is near.
 * Letter case does not matter.
 */
export function nearest<W extends string>(word: string, candidates: readonly W[]): W | undefined {
  const wanted = word.toLowerCase();
  const bound = Math.max(1, Math.floor(wanted.length / 3));
  const [best] = candidates
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

/**
 * The number of edits between two words. Swapping two letters counts as one edit (optimal string
 * alignment).
 */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
