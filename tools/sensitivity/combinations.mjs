// Makes jobs for random legal servers, and for the same servers with a random fault.
import * as fc from "fast-check";
import { areCompatible, variantFamilies } from "../../dist/reference/variants/index.js";

/**
 * Variants that hide no fault: they change how a request is answered, and not what is accepted,
 * created or shown.
 */
const { statuses, delays, limits, transport, gateways } = variantFamilies;
const transparent = new Set([...statuses, ...delays, ...limits, ...transport, ...gateways]);

/**
 * Returns `n` times these jobs: a server with up to four compatible variants; a server with a fault
 * and those of the variants that hide none; and a server with the fault and all of the variants.
 * The third server may hide the fault, but must get as many verdicts as without the fault if it is
 * found conformant. The first server has no job of its own if the third job runs it
 * with the same settings anyway.
 */
export function randomJobs(n, seed, { faults, variants }) {
  // On a server with a rare variant, a fault may stay unseen.
  const quick = variants.filter(({ needs, rare }) => !needs?.slow && !rare);
  const servers = fc.tuple(
    fc.shuffledSubarray(quick, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(...faults.filter(({ slow }) => !slow)),
  );
  return fc.sample(servers, { seed, numRuns: n }).flatMap(([drawn, fault], index) => {
    const chosen = drawn.filter((one, at) =>
      drawn.slice(0, at).every((other) => areCompatible(other, one)),
    );
    const beside = chosen.filter((variant) => transparent.has(variant));
    const [ids, idsBeside] = [chosen, beside].map((list) => list.map(({ id }) => id));
    const hasLegal = fault.needs === undefined;
    const legal = {
      id: ids.join("+"),
      kind: "variant",
      needs: needsOf(chosen),
      variants: ids,
      seed: seed + index,
    };
    return [
      ...(hasLegal ? [] : [legal]),
      {
        id: [idsBeside.join("+"), fault.id].filter(Boolean).join(" with "),
        kind: "fault",
        fault,
        needs: needsOf([...beside, fault]),
        variants: idsBeside,
        seed: seed + index,
      },
      {
        id: `${ids.join("+")} before ${fault.id}`,
        kind: "behind",
        fault,
        ...(hasLegal && { legal }),
        needs: needsOf([...chosen, fault]),
        variants: ids,
        seed: seed + index,
      },
    ];
  });
}

const needsOf = (changes) => Object.assign({}, ...changes.map(({ needs }) => needs ?? {}));
