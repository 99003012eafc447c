/**
 * The items grouped by the key that `keyOf` returns. The keys are in the order of their first
 * items.
 */
export function groups<K, T>(
  items: readonly T[],
  keyOf: (item: T) => K,
): ReadonlyMap<K, readonly [T, ...T[]]> {
  const made = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = made.get(key);
    if (group) group.push(item);
    else made.set(key, [item]);
  }
  return made;
}
