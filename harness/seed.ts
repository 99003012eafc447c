/** The seed of a part of the run, derived from the run's seed and a name: a selection draws what the whole run drew. */
export const seedFor = (seed: number, name: string): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash | 0;
};
