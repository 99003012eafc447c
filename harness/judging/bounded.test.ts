import { expect, test } from "vitest";
import { mostRemembered, remember } from "./identities.ts";

test("the newest values are remembered, and what is set again is new", () => {
  const map = new Map<number, string>();
  for (let n = 0; n < mostRemembered; n += 1) remember(map, n, "first");
  expect(map.size).toBe(mostRemembered);
  remember(map, 0, "again");
  expect([map.size, map.get(0), map.has(1)]).toEqual([mostRemembered, "again", true]);
  remember(map, mostRemembered, "first");
  expect([map.size, map.has(0), map.has(1), map.has(2)]).toEqual([mostRemembered, true, false, true]);
});
