import { memberOf } from "../../spec/json.ts";
import type { Place } from "./place.ts";
import { schemasAt } from "./schemas.ts";
import type { Specified } from "./specified.ts";
import type { ApiDocument } from "./document.ts";

export type NearMember = NonNullable<ReturnType<typeof nearestMember>>;

/**
 * Returns the member that probably stands for a missing one: `currencyPair` for `currency_pair`,
 * `counterparty_id` for `id`, `results` for a list. Undefined if there is no such member.
 * `others`: what the document names in the same object beside stated members. `isNamed`: it is this
 * member for certain, as its name has the same letters.
 */
export function nearestMember(
  { name: missing, type }: Specified,
  others: readonly (readonly [name: string, at: Place])[],
  document: ApiDocument,
) {
  const wanted = plainName(missing);
  const tests: readonly ((name: string, at: Place) => boolean)[] = [
    (name) => plainName(name) === wanted,
    (name) => singular(plainName(name)) === singular(wanted),
    (name) => plainName(name).endsWith(wanted),
    // For a text or a number, the type alone says too little.
    (_, at) => (type === "array" || type === "object") && hasType(at, type, document),
  ];
  for (const [index, test] of tests.entries()) {
    const [found, another] = others.filter(([name, at]) => test(name, at));
    if (found !== undefined && another === undefined)
      return { name: found[0], at: found[1], isNamed: index === 0 };
  }
  return undefined;
}

/**
 * Returns a name in small letters, without underscores, hyphens, dots and spaces: `currencyPair`
 * and `currency_pair` become equal.
 */
export const plainName = (name: string): string => name.replaceAll(/[_\-.\s]/g, "").toLowerCase();

/** Returns a word in the singular: `batch` for `batches`, `counterparty` for `counterparties`. */
export function singular(name: string): string {
  return name
    .replace(/ies$/, "y")
    .replace(/(ch|sh|s|x)es$/, "$1")
    .replace(/([^s])s$/, "$1");
}

function hasType(schema: Place, type: string, document: ApiDocument): boolean {
  return schemasAt({ schema, path: [], document }).some(({ value }) =>
    [memberOf(value, "type")].flat().includes(type),
  );
}
