import { plural } from "../model/plural.ts";
import type { Coverage } from "../model/run.ts";

/** The most values that are named because pairs with them are not covered. */
const mostNamed = 3;

/**
 * What the accepted requests of a run had in common and what is missing, in one sentence without a
 * full stop: `all 940 pairs of 14 attributes, 80 % of the triples`.
 * Empty if nothing was made from a design.
 */
export function coverageText(coverage: readonly Coverage[] = []): string {
  if (coverage.length === 0) return "";
  const pairs = total(coverage.map((one) => one.pairs));
  const triples = total(coverage.map((one) => one.triples));
  const attributes = new Set(coverage.flatMap(({ groups }) => groups.flat()));
  const count = pairs.covered === pairs.of ? `all ${pairs.of}` : `${pairs.covered} of ${pairs.of}`;
  const of = plural(attributes.size, "attribute");
  const percent = Math.floor((triples.covered * 100) / Math.max(1, triples.of));
  return `${count} pairs of ${of}, ${percent} % of the triples${missingText(coverage)}`;
}

function total(parts: readonly Coverage["pairs"][]) {
  return parts.reduce(
    (sum, part) => ({ covered: sum.covered + part.covered, of: sum.of + part.of }),
    { covered: 0, of: 0 },
  );
}

/** `; not covered: 45 pairs with bank_country CN, refused with 422, and 12 more` */
function missingText(coverage: readonly Coverage[]): string {
  const all = new Map<string, Coverage["missing"][number]>();
  for (const one of coverage.flatMap(({ missing }) => missing)) {
    const known = all.get(one.with);
    all.set(one.with, { ...one, ...known, pairs: one.pairs + (known?.pairs ?? 0) });
  }
  if (all.size === 0) return "";
  const sorted = [...all.values()].sort((a, b) => b.pairs - a.pairs);
  const named = sorted.slice(0, mostNamed).map(({ with: value, pairs, status }) => {
    const why = status === undefined ? "not sent" : `refused with ${status}`;
    return `${plural(pairs, "pair")} with ${value}, ${why}`;
  });
  const rest = sorted.slice(mostNamed).reduce((sum, { pairs }) => sum + pairs, 0);
  return `; not covered: ${[...named, ...(rest > 0 ? [`${rest} more`] : [])].join("; ")}`;
}
