/** Items in the order of their urgency, and of their arrival where that is equal. */
export interface Queue<T> {
  readonly add: (item: T, urgency: number) => void;
  /** Takes the next item out; undefined where there is none. */
  readonly next: () => T | undefined;
  readonly size: () => number;
}

/** A queue for few different urgencies and any number of items. */
export const createQueue = <T>(): Queue<T> => {
  const lines: { readonly urgency: number; items: T[]; first: number }[] = [];
  let size = 0;
  return {
    add: (item, urgency) => {
      size += 1;
      const known = lines.find((line) => line.urgency === urgency);
      if (known !== undefined) {
        known.items.push(item);
        return;
      }
      lines.push({ urgency, items: [item], first: 0 });
      lines.sort((a, b) => b.urgency - a.urgency);
    },
    next: () => {
      const line = lines.find(({ items, first }) => first < items.length);
      if (line === undefined) return undefined;
      const item = line.items[line.first];
      size -= 1;
      line.first += 1;
      if (line.first > 1000 || line.first === line.items.length) {
        line.items = line.items.slice(line.first);
        line.first = 0;
      }
      return item;
    },
    size: () => size,
  };
};
