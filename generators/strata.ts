import * as fc from "fast-check";
import { amountEdges, amountOf, amountUnits, type AmountRange } from "./amounts.ts";
import { samplesOf } from "./samples.ts";

/**
 * `n` distinct valid amounts, or all if the range has fewer, drawn lazily. The edges come first, then one amount from
 * each of equally wide parts (strata) of the range, so that every seed finds a fault above some threshold.
 */
export function* stratifiedAmounts(range: AmountRange, n: number, seed: number): Generator<number> {
  const units = amountUnits(range);
  const all = units.last - units.first + 1;
  const chosen = new Set(amountEdges(range).slice(0, n));
  yield* [...chosen];
  const strata = Math.min(n, all) - chosen.size;
  const width = all / strata;
  let stratum = 0;
  for (const { value: draw } of samplesOf(draws, { seed, n: strata })) {
    const from = units.first + Math.floor(stratum * width);
    const to = Math.max(from, units.first + Math.floor((stratum + 1) * width) - 1);
    const drawn = from + Math.floor((draw / resolution) * (to - from + 1));
    const free = nearestFree(
      drawn,
      (unit) => unit >= units.first && unit <= units.last,
      (unit) => chosen.has(amountOf(unit, units)),
    );
    stratum += 1;
    if (free === undefined) continue;
    const amount = amountOf(free, units);
    chosen.add(amount);
    yield amount;
  }
}

/** The number of positions in a stratum that a draw can hit. */
const resolution = 2 ** 30;

const draws = fc.noBias(fc.integer({ min: 0, max: resolution - 1 }));

/** The unit nearest to `start` that is not taken; undefined if all are taken. */
function nearestFree(start: number, inside: (unit: number) => boolean, taken: (unit: number) => boolean) {
  for (let step = 0; inside(start + step) || inside(start - step); step++) {
    const free = [start + step, start - step].find((unit) => inside(unit) && !taken(unit));
    if (free !== undefined) return free;
  }
  return undefined;
}
