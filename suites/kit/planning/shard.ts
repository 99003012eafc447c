import type { Shard } from "../../../model/target.ts";
import type { ScenarioPlan } from "../scenario.ts";

/** The members of a scenario that the division reads. */
type Divisible = Pick<ScenarioPlan, "cost" | "phase"> & { readonly after?: readonly unknown[] };

/**
 * The scenarios of one shard, in their order; without a shard, all of them. The division is the same on every machine:
 * each group goes to the shard with the least to send, the most expensive group first. Scenarios that wait for each
 * other stay together. So do those that present bad credentials: two shards that do so could lock each other out.
 */
export const scenariosOfShard = <S extends Divisible>(
  scenarios: readonly S[],
  shard: Shard | undefined,
): readonly S[] => {
  if (shard === undefined) return scenarios;
  const groups = groupsOf(scenarios).toSorted((a, b) => costOf(b) - costOf(a));
  const loads = Array.from({ length: shard.count }, () => 0);
  const own = new Set<S>();
  for (const group of groups) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + costOf(group);
    if (least === shard.index - 1) for (const one of group) own.add(one);
  }
  return scenarios.filter((one) => own.has(one));
};

const costOf = (group: readonly Divisible[]): number => group.reduce((sum, { cost }) => sum + cost, 0);

/** Scenarios that belong together, each group in the order of its first. */
const groupsOf = <S extends Divisible>(scenarios: readonly S[]): readonly (readonly S[])[] => {
  const belong = (a: S, b: S): boolean =>
    (a.phase === "last" && b.phase === "last") || a.after?.includes(b) === true || b.after?.includes(a) === true;
  return scenarios.reduce<readonly (readonly S[])[]>((groups, scenario) => {
    const [near, far] = [true, false].map((wanted) =>
      groups.filter((group) => group.some((one) => belong(one, scenario)) === wanted),
    );
    return [...(far ?? []), [...(near ?? []).flat(), scenario]];
  }, []);
};
