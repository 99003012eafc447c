// A fixed sample of the catalogue of faults and variants, drawn with a seed.
import { randomOf } from "../../scripts/random.mjs";

/** Faults and variants that show over plain HTTP with one purpose and need no settings of their own. */
const eligible = (list) => list.filter(({ needs }) => needs === undefined);

/** `count` rows of the list, one from each of `count` equal parts, so that similar neighbours are rarely both drawn. */
export const drawn = (list, count, random) => {
  const size = list.length / count;
  if (size <= 1) return [...list];
  return Array.from({ length: count }, (_, part) => list[Math.floor((part + random()) * size)]);
};

/** The same number of faults from each area of the catalogue, and variants of all kinds. */
export const sampleOf = ({ faults, variants }, counts, seed) => {
  const random = randomOf(seed);
  const areas = grouped(eligible(faults));
  const names = [...areas.keys()];
  const share = (index) => Math.floor(counts.faults / names.length) + (index < counts.faults % names.length ? 1 : 0);
  return {
    faults: names.flatMap((name, index) => drawn(areas.get(name), share(index), random)),
    variants: drawn(eligible(variants), counts.variants, random),
  };
};

/** By the area in the id of the broken requirement: `AUTH-01` is of AUTH. */
function grouped(faults) {
  const areas = new Map();
  for (const fault of faults) {
    const area = fault.breaks.split("-")[0];
    areas.set(area, [...(areas.get(area) ?? []), fault]);
  }
  return areas;
}
