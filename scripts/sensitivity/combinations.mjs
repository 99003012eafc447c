// Random legal servers, and the same with one random fault.
import { areCompatible, variantFamilies } from "../../dist/reference/variants/index.js";
import { randomOf } from "../numbers.mjs";

/** Variants that hide no fault: they change how a request is answered, not what is accepted, created or shown. */
const { statuses, delays, limits, transport, gateways } = variantFamilies;
const transparent = new Set([...statuses, ...delays, ...limits, ...transport, ...gateways]);

/** `n` pairs of jobs: a server with up to four compatible variants, and one with a fault and those that hide none. */
export const randomJobs = (n, seed, { faults, variants }) => {
  const random = randomOf(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  // A fault may stay unseen on a rare server.
  const quick = variants.filter(({ needs, rare }) => !needs?.slow && !rare);
  return Array.from({ length: n }, (_, index) => {
    const chosen = [];
    const size = 1 + Math.floor(random() * 4);
    for (let tries = 0; chosen.length < size && tries < 50; tries++) {
      const next = pick(quick);
      if (!chosen.includes(next) && chosen.every((other) => areCompatible(other, next))) chosen.push(next);
    }
    const ids = chosen.map(({ id }) => id);
    const fault = pick(faults.filter(({ slow }) => !slow));
    const beside = chosen.filter((variant) => transparent.has(variant));
    const idsBeside = beside.map(({ id }) => id);
    return [
      { id: ids.join("+"), kind: "variant", needs: needsOf(chosen), variants: ids, seed: seed + index },
      {
        id: [idsBeside.join("+"), fault.id].filter(Boolean).join(" with "),
        kind: "fault",
        faults: [fault.id],
        breaks: fault.breaks,
        operation: fault.operation,
        also: fault.also ?? [],
        needs: needsOf([...beside, fault]),
        variants: idsBeside,
        seed: seed + index,
      },
    ];
  }).flat();
};

const needsOf = (changes) => Object.assign({}, ...changes.map(({ needs }) => needs ?? {}));
