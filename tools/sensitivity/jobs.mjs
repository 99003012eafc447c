// A job is a set of deviations on one server, and how to run the suite against it.
import * as fc from "fast-check";
import { areCompatible, deviations, themes } from "../../dist/reference/deviations/index.js";
import { catalogue, requirementIds } from "../../dist/spec/catalogue.js";
import { endpoints } from "../../dist/spec/endpoints.js";

const byId = new Map(deviations.map((one) => [one.id, one]));
const themeOf = new Map(
  Object.entries(themes).flatMap(([name, all]) => all.map((one) => [one.id, name])),
);

/** Returns the deviations of a job. There is at most one fault among them. */
export function membersOf({ ids }) {
  return ids.map((id) => byId.get(id));
}

/** The fault among the deviations of a job. Undefined if all of them are legal. */
export function faultOf(job) {
  return membersOf(job).find(({ breaks }) => breaks !== undefined);
}

export function nameOf({ ids, alone }) {
  return alone ?? (ids.join("+") || "reference");
}

const jobOf = (set, seed) => ({ ids: set.map(({ id }) => id), seed });

/** Makes a job for the reference server, and one for each deviation, all of them with full runs. */
export function fullJobs(seed) {
  return [[], ...deviations.map((one) => [one])].map((set) => jobOf(set, seed));
}

/**
 * Makes jobs that take a few minutes: for each fault, first a run of the requirements that it
 * breaks; for legal deviations, a run of several on one server. Leaves out slow legal servers.
 */
export function quickJobs(seed) {
  const faults = deviations.filter(({ breaks }) => breaks !== undefined);
  const legal = deviations.filter((one) => !faults.includes(one) && !one.needs?.slow);
  return [
    ...[[], ...setsOf(legal, seed)].map((set) => jobOf(set, 1)),
    ...faults.map((fault) => {
      const [selection, ...wider] = selectionsFor(fault);
      return { ...jobOf([fault], 1), selection, wider };
    }),
  ];
}

/** How many faults a day runs with each of these seeds: each must have the same verdicts with all. */
const sample = { size: 3, seeds: [1, 2, 3, 28, 333] };

/** Makes full runs of some faults, others on each day, with several seeds. */
export function seedJobs(day) {
  const usual = deviations.filter(
    ({ breaks, needs, known }) => breaks !== undefined && !needs?.slow && known === undefined,
  );
  return shuffled(usual, day)
    .slice(0, sample.size)
    .flatMap((one) => sample.seeds.map((seed) => jobOf([one], seed)));
}

/** Makes a job for each requirement alone on the reference server, as `run --only` does it. */
export function aloneJobs(seed) {
  return requirementIds.map((id) => ({ ...jobOf([], seed), alone: id, selection: [id] }));
}

/** Themes whose legal deviations hide no fault: they change neither what is accepted nor shown. */
const transparent = new Set(["limits", "gatewaysAndConnections", "idsAndTimes"]);

/** Makes jobs for `n` random legal servers, and for `n` random faults on servers that hide none. */
export function randomJobs(n, seed) {
  const usual = deviations.filter(({ needs, known }) => !needs?.slow && known === undefined);
  const legal = usual.filter(({ breaks }) => breaks === undefined);
  const servers = fc.tuple(
    fc.shuffledSubarray(legal, { minLength: 2, maxLength: 4 }),
    fc.constantFrom(...usual.filter(({ breaks }) => breaks !== undefined)),
  );
  return fc.sample(servers, { seed, numRuns: n }).flatMap(([drawn, fault], index) => {
    const server = drawn.reduce((set, one) => (fits(one, set) ? [...set, one] : set), []);
    const beside = server.filter(({ id }) => transparent.has(themeOf.get(id)));
    return [server, [...beside, fault]].map((set) => jobOf(set, seed + index));
  });
}

/**
 * What runs until it shows a fault: its requirement alone, those of its operation too, everything.
 * A fault of transport seldom shows in the few requests of its requirement alone.
 */
function selectionsFor({ breaks, operation }) {
  const { area } = catalogue[endpoints[operation]?.errorShape ?? breaks];
  const around = [breaks, ...requirementIds.filter((id) => catalogue[id].area === area)];
  return [...(catalogue[breaks].area === "transport" ? [] : [[breaks]]), around, undefined];
}

/**
 * Puts each legal deviation into one set. With another seed, it is beside others. Those that may
 * end without a verdict, or need settings of their own, stay alone.
 */
function setsOf(legal, seed) {
  const sets = [];
  for (const one of shuffled(legal, seed)) {
    const fitting = staysAlone(one) ? undefined : sets.find((set) => fits(one, set));
    if (fitting === undefined) sets.push([one]);
    else fitting.push(one);
  }
  return sets;
}

/** How many deviations one server has at most, so that little is lost if one of them is blamed. */
const mostTogether = 6;

function fits(one, set) {
  return (
    set.length < mostTogether &&
    set.every(
      (other) =>
        !staysAlone(other) &&
        themeOf.get(other.id) !== themeOf.get(one.id) &&
        areCompatible(one, other),
    )
  );
}

// HTTPS is no setting of its own, as every server of these scripts speaks it.
function staysAlone({ known, needs = {} }) {
  return known === "open" || Object.keys(needs).some((name) => name !== "https");
}

function shuffled(list, seed) {
  const { length } = list;
  const whole = fc.shuffledSubarray(list, { minLength: length, maxLength: length });
  return fc.sample(whole, { seed, numRuns: 1 })[0];
}
