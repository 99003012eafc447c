/** Counts by name, and what was counted since it was last taken. */
export interface Counter<Name> {
  readonly add: (name: Name) => void;
  /** How often so far. */
  readonly of: (name: Name) => number;
  /** The counts since the last call, without those of 0. */
  readonly taken: () => readonly (readonly [Name, number])[];
}

export const createCounter = <Name>(): Counter<Name> => {
  const all = new Map<Name, number>();
  let fresh = new Map<Name, number>();
  return {
    add: (name) => {
      all.set(name, (all.get(name) ?? 0) + 1);
      fresh.set(name, (fresh.get(name) ?? 0) + 1);
    },
    of: (name) => all.get(name) ?? 0,
    taken: () => {
      const counts = [...fresh];
      fresh = new Map();
      return counts;
    },
  };
};
