/** A seed for a part of the run: the same for the same run seed and name, so that a selection draws what the whole drew. */
export const seedFor = (seed: number, name: string): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash | 0;
};
