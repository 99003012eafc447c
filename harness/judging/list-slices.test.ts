import { expect, test } from "vitest";
import { partsOf } from "./response-schemas.ts";

const list = (...operations: readonly number[]) => ({
  count: 1,
  batches: operations.map((n, i) => ({ id: `b${i}`, operations: Array.from({ length: n }, (_, k) => `o${k}`) })),
});

const sizes = (value: unknown): readonly (readonly number[])[] =>
  [...partsOf(value)].map(({ value: part }) =>
    (part as ReturnType<typeof list>).batches.map(({ operations }) => operations.length),
  );

test.each([
  { given: [], want: [[]] },
  { given: [0, 3], want: [[0, 3]] },
  { given: [99, 1, 1], want: [[99, 1], [1]] },
  { given: [1, 250, 2], want: [[1], [100], [100], [50], [2]] },
  { given: [100, 1], want: [[100], [1]] },
  { given: [97, 0, 1, 5], want: [[97, 0, 1], [5]] },
  { given: [98], want: [[98]] },
  { given: [99], want: [[99]] },
  { given: [101], want: [[100], [1]] },
  { given: [200, 200], want: [[100], [100], [100], [100]] },
])("a list whose batches have $given operations is judged as $want", ({ given, want }) => {
  expect(sizes(list(...given))).toEqual(want);
});

test("pointers lead to the same place in the whole", () => {
  const parts = [...partsOf(list(1, 250, 2))];
  const lead = (part: number, pointer: string): string | undefined => parts[part]?.pointerInWhole(pointer);
  expect(lead(0, "/batches/0/id")).toBe("/batches/0/id");
  expect(lead(2, "/batches/0/operations/7/status")).toBe("/batches/1/operations/107/status");
  expect(lead(2, "/batches/0/id")).toBe("/batches/1/id");
  expect(lead(4, "/batches/0/operations/1")).toBe("/batches/2/operations/1");
  expect(lead(4, "/count")).toBe("/count");
  expect(lead(2, "/batches/0/a\nb/batches/0/c")).toBe("/batches/1/a\nb/batches/0/c");
  expect(lead(2, "/more/batches/0/c")).toBe("/more/batches/0/c");
});

test("a batch by itself, and what is none", () => {
  const [batch] = list(150).batches;
  expect([...partsOf(batch)].map(({ pointerInWhole }) => pointerInWhole("/operations/9"))).toEqual([
    "/operations/9",
    "/operations/109",
  ]);
  for (const value of [null, 1, "x", [1], { batches: 1 }, { operations: null }])
    expect([...partsOf(value)].map((part) => part.value)).toEqual([value]);
});
