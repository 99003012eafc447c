// Random legal servers, and the same with one random fault.
import { isUndetectable } from "../../dist/reference/undetectable.js";
import { areCompatible } from "../../dist/reference/variants/index.js";
import { randomOf } from "../numbers.mjs";

/** `n` pairs of jobs: a server with up to four compatible variants, and the same with a fault that can be detected on it. */
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
    const needs = Object.assign({}, ...chosen.map((variant) => variant.needs ?? {}));
    const visible = faults.filter(
      (f) => !f.slow && !ids.some((id) => isUndetectable(f.id, id)) && !(f.needs?.otherPurposes && needs.onlyEfx),
    );
    const fault = pick(visible);
    const shared = { variants: ids, seed: seed + index };
    return [
      { id: ids.join("+"), kind: "variant", needs, ...shared },
      {
        id: `${ids.join("+")} with ${fault.id}`,
        kind: "fault",
        faults: [fault.id],
        breaks: fault.breaks,
        operation: fault.operation,
        also: fault.also ?? [],
        needs: { ...needs, ...fault.needs },
        ...shared,
      },
    ];
  }).flat();
};
