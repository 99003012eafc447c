/** What has an id of its own. */
export type Kind = "counterparty" | "operation" | "batch";

/** Remembers which id was given to which data (specification, Resources: unique identifiers). */
export interface Identities {
  /** The data that the id was given to before, where that is other data. */
  readonly clash: (kind: Kind, id: string, data: string) => string | undefined;
  readonly known: (kind: Kind, id: string) => boolean;
  readonly remember: (kind: Kind, id: string, data: string) => void;
}

export const createIdentities = (): Identities => {
  const known = new Map<string, string>();
  const key = (kind: Kind, id: string): string => `${kind} ${id}`;
  return {
    clash: (kind, id, data) => {
      const before = known.get(key(kind, id));
      return before === undefined || before === data ? undefined : before;
    },
    known: (kind, id) => known.has(key(kind, id)),
    remember: (kind, id, data) => {
      if (!known.has(key(kind, id))) known.set(key(kind, id), data);
    },
  };
};
