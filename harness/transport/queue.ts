/** Items in the order of their urgency, and of their arrival if that is equal. */
export interface Queue<T> {
  readonly add: (item: T, urgency: number) => void;
  /** Takes the next item out; undefined if there is none. */
  readonly next: () => T | undefined;
  /** How urgent the next item is; undefined if there is none. */
  readonly urgency: () => number | undefined;
}

/** A queue for few different urgencies and any number of items. */
export const createQueue = <T>(): Queue<T> => {
  const lines: { readonly urgency: number; items: T[]; first: number }[] = [];
  const nextLine = (): (typeof lines)[number] | undefined => lines.find(({ items, first }) => first < items.length);
  return {
    add: (item, urgency) => {
      const known = lines.find((line) => line.urgency === urgency);
      if (known !== undefined) {
        known.items.push(item);
        return;
      }
      lines.push({ urgency, items: [item], first: 0 });
      lines.sort((a, b) => b.urgency - a.urgency);
    },
    next: () => {
      const line = nextLine();
      if (line === undefined) return undefined;
      const item = line.items[line.first];
      line.first += 1;
      if (line.first > 1000 || line.first === line.items.length) {
        line.items = line.items.slice(line.first);
        line.first = 0;
      }
      return item;
    },
    urgency: () => nextLine()?.urgency,
  };
};
