// Makes jobs for sets of variants: one run of a server that has all variants of a set shows whether
// the suite blames one of them.
import * as fc from "fast-check";
import { areCompatible, variantFamilies, variants } from "../../dist/reference/variants/index.js";
import { idsOf, judged } from "./judged.mjs";

const families = variantFamilies;

/**
 * Variants of one group are never in one set, because one of them could hide another: both change
 * which values are accepted, what may be created, what is shown, or the form of responses. The
 * largest group comes first: it sets how many sets there are.
 */
const groups = [
  [families.strictness, families.lenience],
  [families.statuses],
  [families.narrowness, families.payees, families.repetition],
  [families.answers],
  [families.lists],
  [families.gateways],
  [families.transport, families.delays, families.limits],
  [families.tokens, families.ids],
  [families.spelling, families.times],
].map((members) => members.flat());

/**
 * Variants that do not show what some requirement judges, or refuse what shows it. A run leaves the
 * requirement without a verdict, behind which the blame of another variant could hide.
 */
const leavingOpen = new Set([
  "banks-absent",
  "batch-minimal",
  "batched-minimal",
  "batched-without-batch",
  "batches-stay-empty",
  "counterparties-without-intermediary",
  "counterparty-minimal",
  "counterparty-without-banks",
  "external-id-absent",
  "intermediary-refused",
  "list-without-ids",
  "one-pair",
  "operation-minimal",
  "operation-without-echo",
  "operation-without-time",
  "second-batch-refused",
]);

/**
 * Puts the jobs of variants together: returns jobs of sets, in which each variant is once, and the
 * jobs of those that stay alone. With another seed, a variant is beside others.
 */
export function setJobs(jobs, seed) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const drawn = variantSets(
    variants.filter(({ id }) => byId.has(id)),
    seed,
  ).map((set) => set.map(({ id }) => byId.get(id)));
  const inSets = new Set(drawn.flat());
  return [...jobs.filter((job) => !inSets.has(job)), ...drawn.map(jobOf)];
}

function jobOfSet(members) {
  const ids = members.map(({ id }) => id);
  const needs = Object.assign({}, ...members.map((member) => member.needs));
  const [{ seed }] = members;
  return { id: ids.join("+"), kind: "set", variants: ids, needs, seed, members };
}

/** Makes jobs for the two halves of a set. */
export function halvesOf({ members }) {
  const middle = Math.ceil(members.length / 2);
  return [members.slice(0, middle), members.slice(middle)].map(jobOf);
}

/** The job of these variants on one server. */
function jobOf(members) {
  return members.length === 1 ? members[0] : jobOfSet(members);
}

/**
 * Whether the run of a set speaks for each of its variants: it is right for a legal server, and
 * leaves no verdict open behind which the blame of one of them could hide.
 */
export function speaksForAll(result) {
  return judged(result).ok && idsOf(result.run, "inconclusive").length === 0;
}

/**
 * Returns the results of each server that the result of a job stands for. That of a set stands for
 * its variants, unless the halves of the set ran too. Then it counts only if the set was blamed and
 * neither half is. A job that ran a legal server without a fault too stands for both.
 */
export function resultsOf(result) {
  const { job, halves, run, without } = result;
  if (job.legal !== undefined && without !== undefined)
    return [{ job: job.legal, run: without }, result];
  if (job.kind !== "set" || run === undefined) return [result];
  if (halves === undefined) return job.members.map((member) => ({ job: member, run }));
  const results = halves.flatMap(resultsOf);
  const isBlamed = idsOf(run, "fail").length > 0;
  return isBlamed && results.every((one) => judged(one).ok) ? [...results, result] : results;
}

/**
 * Says why the halves of a set had to run too: names the smallest sets and the variants whose runs
 * do not speak for all of their variants.
 */
export function whyHalved({ halves, job, run }) {
  const silent = halves.filter((half) => !speaksForAll(half));
  if (silent.length > 0)
    return silent.map((half) => (half.halves ? whyHalved(half) : reasonOf(half))).join(", ");
  return reasonOf({ job, run });
}

function reasonOf({ job, run }) {
  const { why = `leaves open ${idsOf(run, "inconclusive").join(" ")}` } = judged({ job, run });
  return `${job.id} (${why})`;
}

/** Draws sets in which each of these variants is once, unless it stays alone. */
function variantSets(all, seed) {
  const [first, ...others] = groups
    .map((group) => group.filter((variant) => all.includes(variant) && !staysAlone(variant)))
    .map((group, index) => shuffled(group, seed + index));
  const sets = first.map((variant) => [variant]);
  for (const group of others) {
    const left = new Set(sets);
    for (const variant of group) {
      const fitting = [...left].filter((set) => set.every((one) => areCompatible(one, variant)));
      const [smallest] = fitting.toSorted((a, b) => a.length - b.length);
      left.delete(smallest);
      if (smallest === undefined) sets.push([variant]);
      else smallest.push(variant);
    }
  }
  return sets;
}

function shuffled(list, seed) {
  const { length } = list;
  const whole = fc.shuffledSubarray(list, { minLength: length, maxLength: length });
  return fc.sample(whole, { seed, numRuns: 1 })[0];
}

/**
 * Whether a variant is in no set: it is rare, leaves verdicts open, or needs settings of its own.
 * HTTPS is none, as every server of these scripts speaks it.
 */
function staysAlone({ id, rare, needs = {} }) {
  const hasSettings = Object.keys(needs).some((name) => name !== "https");
  return rare === true || leavingOpen.has(id) || hasSettings;
}
