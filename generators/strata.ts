import * as fc from "fast-check";
import { amountEdges, amountOf, amountUnits, type AmountRange } from "./amounts.ts";
import { sampleOf } from "./sample.ts";

/**
 * `n` distinct valid amounts: the edges first, then one from each stratum of the range, all equally wide, so that every
 * seed finds a fault above some threshold. Fewer only where the range has fewer.
 */
export function stratifiedAmounts(range: AmountRange, n: number, seed: number): readonly number[] {
  const units = amountUnits(range);
  const chosen = new Set(amountEdges(range).slice(0, n));
  const strata = n - chosen.size;
  const width = (units.last - units.first + 1) / strata;
  const draws = sampleOf(fc.noBias(fc.integer({ min: 0, max: resolution - 1 })), { seed, n: strata });
  draws.forEach((draw, stratum) => {
    const from = units.first + Math.floor(stratum * width);
    const to = Math.max(from, units.first + Math.floor((stratum + 1) * width) - 1);
    const drawn = from + Math.floor((draw / resolution) * (to - from + 1));
    const free = nearestFree(
      drawn,
      (unit) => unit >= units.first && unit <= units.last,
      (unit) => chosen.has(amountOf(unit, units)),
    );
    if (free !== undefined) chosen.add(amountOf(free, units));
  });
  return [...chosen];
}

/** How finely a draw divides its stratum. */
const resolution = 2 ** 30;

/** The unit nearest to `start` that is not taken; undefined where all are. */
function nearestFree(start: number, inside: (unit: number) => boolean, taken: (unit: number) => boolean) {
  for (let step = 0; inside(start + step) || inside(start - step); step++) {
    const free = [start + step, start - step].find((unit) => inside(unit) && !taken(unit));
    if (free !== undefined) return free;
  }
  return undefined;
}
