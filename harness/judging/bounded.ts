/** How many values of each kind are remembered, so that endless traffic takes bounded memory. */
export const mostRemembered = 50_000;

/** Sets a value, and removes the oldest one if there are too many. */
export const remember = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.delete(key);
  map.set(key, value);
  if (map.size <= mostRemembered) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
};
