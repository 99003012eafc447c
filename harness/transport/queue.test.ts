import { expect, test } from "vitest";
import { createQueue } from "./queue.ts";

test("the most urgent item is next, and of equally urgent ones the first", () => {
  const queue = createQueue<string>();
  for (const [item, urgency] of Object.entries({ a: 0, b: 2, c: 0, d: 2, e: 1 })) queue.add(item, urgency);
  expect(queue.urgency()).toBe(2);
  expect([1, 2, 3, 4, 5].map(() => queue.next())).toEqual(["b", "d", "e", "a", "c"]);
  expect(queue.next()).toBeUndefined();
  expect(queue.urgency()).toBeUndefined();
});

test("a long queue keeps its order", () => {
  const queue = createQueue<number>();
  const numbers = Array.from({ length: 5000 }, (_, index) => index);
  const taken: (number | undefined)[] = [];
  for (const number of numbers) {
    queue.add(number, 0);
    if (number % 3 === 0) taken.push(queue.next());
  }
  while (queue.urgency() !== undefined) taken.push(queue.next());
  expect(taken).toEqual(numbers);
});
