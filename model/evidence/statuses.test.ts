import { expect, test } from "vitest";
import { createStatusCounts } from "./statuses.ts";

test("responses are counted by operation and status, in the order of the specification", () => {
  const counts = createStatusCounts();
  const list = { operation: "listBatches", status: 200, count: 1 } as const;
  const token = { operation: "createToken", status: 401, count: 1 } as const;
  for (const one of [list, token, { ...token, status: 200 }, token]) counts.add(one);
  const all = [{ ...token, status: 200 }, { ...token, count: 2 }, list];
  expect(counts.all()).toEqual(all);
});
