import { defined } from "../../model/defined.ts";
import type { Traffic } from "../../model/run.ts";
import { poolOf, type Exchange, type Origin } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";

/** Counts the requests of each scenario and pool, and the requirements that they showed broken. */
export interface TrafficCount {
  readonly sent: (origin: Origin, exchange: Exchange) => void;
  readonly violated: (origin: Origin, exchange: Exchange | undefined, requirement: RequirementId) => void;
  /** The rows since the last call. */
  readonly taken: () => readonly Traffic[];
}

export const createTraffic = (): TrafficCount => {
  let fresh = new Map<string, { scenario: string; pool?: string; requests: number; violates: Set<RequirementId> }>();
  const rowOf = (origin: Origin, exchange: Exchange | undefined) => {
    const pool = exchange === undefined ? undefined : poolOf(exchange.intent);
    const key = pool === undefined ? origin.id : JSON.stringify([origin.id, pool]);
    const row = fresh.get(key) ?? {
      scenario: origin.id,
      ...defined({ pool }),
      requests: 0,
      violates: new Set<never>(),
    };
    fresh.set(key, row);
    return row;
  };
  return {
    sent: (origin, exchange) => void (rowOf(origin, exchange).requests += 1),
    violated: (origin, exchange, requirement) => void rowOf(origin, exchange).violates.add(requirement),
    taken: () => {
      const rows = [...fresh.values()].map((row) => ({ ...row, violates: [...row.violates] }));
      fresh = new Map();
      return rows;
    },
  };
};
