import { operationNames, type OperationName } from "../../spec/operations.ts";
import type { StatusCount } from "../run.ts";

/** Counts how many responses had which status at each operation. */
export function createStatusCounts() {
  const counts = new Map<OperationName, Map<number, number>>();
  const add = ({ operation, status, count }: StatusCount): void => {
    const own = counts.get(operation) ?? new Map<number, number>();
    counts.set(operation, own.set(status, (own.get(status) ?? 0) + count));
  };
  return {
    add,
    /** In the order of the specification, the lowest status first. */
    all: (): readonly StatusCount[] =>
      operationNames.flatMap((operation) =>
        [...(counts.get(operation) ?? [])]
          .sort(([one], [other]) => one - other)
          .map(([status, count]) => ({ operation, status, count })),
      ),
  };
}
