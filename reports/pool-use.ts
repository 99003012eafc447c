import { plural } from "../model/plural.ts";
import type { Run } from "../model/run.ts";

/** How many values of its pools a run sent, in a sentence; undefined if it had no pools. */
export const poolsText = ({ pools = [] }: Pick<Run, "pools">): string | undefined => {
  if (pools.length === 0) return undefined;
  const [used, of] = [sum(pools.map((pool) => pool.used)), sum(pools.map((pool) => pool.of))];
  const rest = used < of ? "; another --seed sends others, a larger --runs more" : "";
  return `Sent ${used} of the ${plural(of, "value")} in ${plural(pools.length, "pool")}${rest}.`;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
