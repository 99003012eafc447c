import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { bounds } from "../../model/bounds.ts";
import { createLargeBodies, createSharing } from "./client.ts";

const large = bounds.largeBody + 1;

test("large bodies wait for each other, in the order in which they came", async () => {
  const take = createLargeBodies(new AbortController().signal);
  const said: number[] = [];
  const bodies = [1, 2, 3].map(async (n) => take().then((letGo) => (said.push(n), letGo)));
  await setImmediate();
  expect(said).toEqual([1]);
  const letGo = await bodies[0];
  letGo?.();
  // To let a body go twice lets only one further body in.
  letGo?.();
  await setImmediate();
  expect(said).toEqual([1, 2]);
});

test("a large body that comes again is the one that came before", () => {
  const shared = createSharing();
  const one = Buffer.alloc(large, "a");
  expect(shared(one)).toBe(one);
  expect(shared(Buffer.from(one))).toBe(one);
  const small = Buffer.from("a");
  shared(small);
  const again = Buffer.from(small);
  expect(shared(again)).toBe(again);
});
