import { expect, test } from "vitest";
import { createStatusCounts, joinedStatuses } from "./statuses.ts";

test("responses are counted by operation and status, in the order of the specification", () => {
  const counts = createStatusCounts();
  for (const [operation, status] of [
    ["listBatches", 200],
    ["createToken", 401],
    ["createToken", 200],
    ["createToken", 401],
  ] as const)
    counts.add({ operation, status, count: 1 });
  const all = [
    { operation: "createToken", status: 200, count: 1 },
    { operation: "createToken", status: 401, count: 2 },
    { operation: "listBatches", status: 200, count: 1 },
  ] as const;
  expect(counts.all()).toEqual(all);
  expect(joinedStatuses([all, all.slice(1, 2)]).map(({ count }) => count)).toEqual([1, 4, 1]);
  expect(joinedStatuses([])).toEqual([]);
});
