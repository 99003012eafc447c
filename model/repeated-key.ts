import { isScalar, visit, type Document } from "yaml";

/**
 * The offset of the first key that stands twice in one object of a YAML document. Undefined if there
 * is none. It stands in place of the check of the library, which takes quadratic time.
 */
export function repeatedKey(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<string>();
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined || name === "<<") continue;
        if (keys.has(name) && isScalar(key)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        keys.add(name);
      }
      return undefined;
    },
  });
  return found;
}
