/** What is remembered of each kind, so that traffic without an end takes memory with an end. */
export const mostRemembered = 50_000;

/** Sets a value and forgets the oldest one where there are too many. */
export const remember = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.delete(key);
  map.set(key, value);
  if (map.size <= mostRemembered) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
};
